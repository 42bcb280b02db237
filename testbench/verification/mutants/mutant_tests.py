# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Which tests a mutant is for."""

# The tests for a mutant, by its file: the first entry that fits. The entry of the table for a
# mutant, then those for others in the same file, decide which test comes first.
GOLDEN = ["golden_test", "hw_leaf_test", "clock_domain_test", "network_interface_test",
          "scoreboard_test", "generator_test", "fabric_test", "slow_links_test", "valid_ready_links_test",
          "deadlock_test",
          "switching_test", "circuit_test", "port_model_test"]
RTL = ["rtl_router_test", "cosim_test"]
TESTS_OF = [
    (("hw/verilated/rtl_routers.cpp", "hw/verilated/router_ledger."), ["foreign_router_test"]),
    # The RTL router and its connections: compared with the SystemC router.
    (("hw/rtl/", "hw/verilated/"), RTL),
    # Schedules that are found, and their bounds.
    (("traffic/schedules/synthesis/combining.cpp", "traffic/schedules/synthesis/combining_search.cpp",
      "traffic/schedules/synthesis/bounds/startup_bound.cpp", "traffic/schedules/synthesis/chunk_schedule.cpp"),
     ["combining_test", "synthesis_test"]),
    (("traffic/schedules/synthesis/rehearsal/",), ["rehearsal_test", "combining_test"]),
    (("traffic/schedules/synthesis/direct/",), ["timetable_test", "synthesis_test"]),
    (("traffic/schedules/synthesis/",), ["synthesis_test", "timetable_test", "combining_test"]),
    # Circuits.
    (("hw/circuit/",), ["circuit_test", "golden_test"]),
    # Nodes with a channel for every link.
    (("hw/packet/multi_port_interface.cpp", "hw/packet/endpoint_routing.h",
      "traffic/program/channel_rules.cpp"), ["port_model_test", *GOLDEN[:-1]]),
    # Routing functions, which the fabrics and the golden model share.
    (("models/routing/",),
     ["routing_test", "table_routing_test", "turn_models_test", "minimal_adaptive_test",
      "oblivious_routing_test", "express_shortest_test", "topology_families_test", *GOLDEN]),
    # Bounds and loads; measurements of patterns, and the options of programs.
    (("models/performance/bounds.cpp", "models/performance/steady_load.cpp"),
     ["bounds_test", "pattern_test", "random_bounds_test"]),
    (("traffic/patterns/", "traffic/program/program_limits.cpp",
      "testbench/app/run/channel_window.h"),
     ["pattern_test", "arrivals_test", "destinations_test", "program_file_test", "tlm_test"]),
    # Why a run took as long as it did.
    (("testbench/app/explain/",), ["critical_path_witness_test", "critical_path_test"]),
    # The reported costs of networks, which no fabric shows.
    (("models/performance/",), ["topology_cost_test", "topology_families_test"]),
    # Wirings and schedules, which every fabric would carry all the same.
    (("models/topology/", "models/config/config.h", "models/config/link_delay_config.cpp"),
     ["topology_test", "topology_families_test", "topology_cost_test", "config_rules_test",
      "every_topology_test"]),
    (("traffic/schedules/", "traffic/program/handshake.cpp"),
     ["bounded_contention_test", "aap_test", "how_collectives_test", "vector_collectives_test",
      "schedule_test", "handshake_test"]),
    (("models/config/config_loader.cpp",), ["machines_test", "config_test"]),
    # The papers' machines and predictions.
    (("testbench/papers/bokhari/", "testbench/app/configuration/machine_presets.cpp"),
     ["machines_test", "bokhari_test", "exchange_simulation_test"]),
    (("traffic/computations/", "testbench/app/run/simulation_verdict.cpp"),
     ["computation_test", "computation_run_test"]),
    # The TLM engine: its parts, then compared with the golden model and the cycle engine.
    (("tlm/",),
     ["burst_test", "tlm_channel_test", "tlm_monitor_test", "tlm_test", "deadlock_test"]),
    (("",), GOLDEN),
]


def is_rtl(mutant):
    return mutant["file"].startswith("hw/rtl/")


def tests_of(mutant):
    if "tests" in mutant:  # those of its file have no eye for it
        return mutant["tests"]
    return next(tests for files, tests in TESTS_OF if mutant["file"].startswith(files))
