// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/fuzz/readers.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "hw/verilated/rtl_variant.h"
#include "models/base/diagnostics.h"
#include "models/topology/families/topologies.h"
#include "models/topology/families/topology_families.h"
#include "models/topology/files/graph_file.h"
#include "testbench/app/build/machine.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/energy/gate_netlist.h"
#include "testbench/app/energy/power_analysis.h"
#include "testbench/app/gate_synthesis/cell_library.h"
#include "testbench/app/gate_synthesis/link_synthesis.h"
#include "testbench/app/gate_synthesis/tool_reports.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/explore/space.h"
#include "testbench/app/study/explore/study_file.h"
#include "testbench/verification/fuzz/seeds.h"
#include "traffic/patterns/matrix_file.h"
#include "traffic/program/program_file.h"
#include "traffic/schedules/schedule_catalogue.h"
#include "traffic/schedules/schedule_factory.h"
#include "traffic/traces/chakra.h"
#include "traffic/traces/expansion.h"
#include "traffic/traces/goal_binary.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/placement.h"
#include "traffic/traces/rendezvous.h"
#include "traffic/traces/trace_program.h"
#include "waveforms/selection.h"

namespace flitscope::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr NodeId kNodes = 16;  // that programs, matrices and traces are for
constexpr std::size_t kTracesTried = 10'000;

std::vector<std::string> files(const std::string& folder, const std::string& extension,
                               const std::function<bool(const std::string&)>& fits) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == extension) paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    for (const fs::path& path : paths) {
        std::ifstream in(path, std::ios::binary);
        std::string text((std::istreambuf_iterator<char>(in)), {});
        if (fits(text)) texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<std::string> joined(std::vector<std::string> some,
                                const std::vector<std::string>& others) {
    some.insert(some.end(), others.begin(), others.end());
    return some;
}

bool has(const std::string& text, const char* part) {
    return ("\n" + text).find(part) != std::string::npos;
}

void require_showable(const std::string& line) {
    for (const char c : line) {
        const auto code = static_cast<unsigned char>(c);
        if (code < 0x20 || code == 0x7f) throw std::logic_error("shows " + line);
    }
}

/// A finding is on one line that a terminal can show.
void require_showable(const ConfigError& error) {
    if (error.findings().empty()) throw std::logic_error("an error without a finding");
    for (const Diagnostic& finding : error.findings()) require_showable(finding.str());
}

template <class Read>
std::function<bool(const std::string&)> guarded(Read read) {
    return [read](const std::string& text) {
        try {
            read(text);
            return true;
        } catch (const ConfigError& error) {
            require_showable(error);
            return false;
        }
    };
}

/// Readers of the output of programs refuse it with std::runtime_error.
template <class Read>
std::function<bool(const std::string&)> from_a_program(Read read) {
    return [read](const std::string& text) {
        try {
            read(text);
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    };
}

/// Requires that a configuration, written and read again, is the same.
void require_round_trip(const Config& config) {
    const std::string written = to_yaml(config);
    try {
        if (to_yaml(parse_config(written, "again")) == written) return;
    } catch (const ConfigError& error) {
        throw std::logic_error("written, but not read: " + std::string(error.what()));
    }
    throw std::logic_error("written and read, and another:\n" + written);
}

/// Reads one override per line, over a small configuration.
void read_overrides(const std::string& text) {
    std::vector<std::string> overrides;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        overrides.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    require_round_trip(
        parse_config("fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
                     "traffic: {schedule: pex}\n",
                     "base", overrides));
}

/// Whether a machine is built in milliseconds, and only from this text.
bool is_small(const Config& config) {
    constexpr std::uint64_t kMostNodes = 64;     // and routers
    constexpr std::uint64_t kMostSearched = 16;  // for a schedule: on 64 nodes that takes a second
    constexpr std::uint64_t kMostParts = 32;     // parts of a message, and of a program
    const TrafficConfig& traffic = config.traffic;
    const std::optional<TopologySize> size = topology_size(config.fabric.topology);
    const bool is_whole = traffic.program.empty() && traffic.trace.file.empty() &&
                          traffic.matrix.empty() && !config.wires_need_synthesis();
    const AlgorithmKind* const kind = find_algorithm_kind(traffic.schedule, traffic.algorithm);
    const bool is_searched = kind != nullptr && kind->knows_faults;
    const std::uint64_t most = is_searched ? kMostSearched : kMostNodes;
    return size && std::max(size->routers, size->nodes) <= most && is_whole &&
           traffic.chunks <= kMostParts && traffic.blocks <= kMostParts &&
           traffic.iterations <= kMostParts && traffic.values_per_node <= kMostParts;
}

/// Builds all that is known before a fabric is built, and the choice of traced channels.
void build_small(const std::string& text) {
    Config config = parse_config(text, "config");
    if (!is_small(config)) return;
    const Machine machine = build_machine(std::move(config));
    select_channels(machine.config, machine.graph);
    if (machine.program == nullptr) return;
    if (!validate(*machine.program).empty()) throw std::logic_error("a program that is not sound");
    step_reports(machine);
}

/// The configurations of which a machine is built.
std::vector<std::string> small_configs(const std::vector<std::string>& configs) {
    std::vector<std::string> small;
    for (const std::string& text : configs) {
        try {
            if (!is_small(parse_config(text, "config"))) continue;
        } catch (const ConfigError&) {  // it is meant for its folder
            continue;
        }
        small.push_back(text);
    }
    return small;
}

/// Names of routers and links; those that are taken are written so.
bool read_variant(const std::string& text) {
    const auto router = hw::parse_rtl_variant(text);
    const auto link = parse_link_variant(text);
    if ((router && router->name() != text) || (link && link->name() != text)) {
        throw std::logic_error("another name");
    }
    return router || link;
}

/// A study next to the shipped ones, whose base it takes, and its first and last design.
void read_study(const std::string& text, const std::string& configs) {
    const study::Study study = study::parse_study(text, configs + "/studies/study", {});
    const study::Space space(study, "auto");
    for (const std::uint64_t index : {std::uint64_t{0}, space.size() - 1}) {
        const study::Choices choices = space.choices(index);
        if (!space.is_wanted(space.labels(choices))) continue;
        for (std::size_t i = 0; i < study.workloads.size(); ++i) {
            try {
                space.point(choices, i);
            } catch (const ConfigError& error) {  // only that design
                require_showable(error);
            }
        }
    }
}

/// The last parts of the names of all keys.
std::vector<std::string> key_words() {
    std::set<std::string> words;
    for (const std::string& path : configuration_table().all_paths()) {
        words.insert(path.substr(path.rfind('.') + 1));
    }
    return {words.begin(), words.end()};
}

const std::map<std::string, CellModel>& netlist_cells() {
    static const std::map<std::string, CellModel> kCells =
        read_cell_models(liberty_seeds().front(), "library");
    return kCells;
}

void read_reports(const std::string& text) {
    static const CellLibrary kCells =
        parse_cell_library(liberty_seeds().front(), {"library", "library", "", ""}, "");
    const auto tried = [](auto read) { return from_a_program(read)({}); };
    tried([&](const std::string&) { parse_cell_report(text, kCells); });
    tried([&](const std::string&) { parse_timing_report(text); });
    parse_power_log(text, 1);
}

template <class Reader>
auto graph_reader(Reader reader) {
    return guarded([reader](const std::string& text) {
        graph_file::Assembler assembler("graph", FabricConfig(), 1);
        reader(text, assembler);
    });
}

auto program_reader(ProgramFormat format) {
    return guarded([format](const std::string& text) {
        const Program program = parse_program(text, format, "program", kNodes);
        if (!validate(program).empty()) throw std::logic_error("a program that is not sound");
    });
}

/// check_trace(), which finds nothing if sums over both ends of all messages are even.
void check_balanced(const Trace& trace) {
    try {
        check_trace(trace);
    } catch (const ConfigError&) {
        if (is_even(trace)) throw std::logic_error("even, and refused");
        throw;
    }
}

/// Makes a program of a trace that was accepted, or refuses it for what only the whole trace shows.
void play_trace(Trace trace) {
    static const Config kConfig = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {trace: {file: trace}}\n",
        "config");
    static const Graph kGraph = build_topology(kConfig);
    check_balanced(trace);
    expand_collectives(
        trace, place_ranks(kConfig, static_cast<RankId>(trace.ranks.size()), kNodes), kNodes,
        [](const CollectiveSchedule& of) { return collective_program(kConfig, kGraph, of); });
    const auto lower = [](const Trace& expanded) {
        const Program program = trace_program(expanded, kConfig, kNodes);
        if (!validate(program).empty()) throw std::logic_error("a program that is not sound");
    };
    lower(trace);
    guarded([&](const std::string&) {  // which asks for more
        make_rendezvous(trace, 100);
        check_balanced(trace);
        lower(trace);
    })({});
}

/// Requires that a trace, written and read again, is the same.
void read_goal(const Trace& trace) {
    std::ostringstream written;
    write_goal_text(trace, written);
    std::ostringstream again;
    write_goal_text(parse_goal_text(written.str(), "again"), again);
    if (written.str() != again.str()) throw std::logic_error("written and read, and another");
    play_trace(trace);
}

}  // namespace

std::vector<FuzzedReader> fuzzed_readers(const std::string& configs) {
    const std::vector<std::string> all_configs = joined(
        files(configs, ".yaml", [](const std::string& text) { return has(text, "\nfabric:"); }),
        config_seeds());
    const auto is_graph = [](const std::string& text) { return has(text, "\nlinks:"); };
    const auto is_program = [](const std::string& text) { return has(text, "source,"); };
    const std::vector<std::string> programs =
        joined(files(configs, ".csv", is_program), program_csv_seeds());
    const std::vector<std::string> goals = joined(
        files(configs, ".goal", [](const std::string&) { return true; }), {goal_text_seed()});
    const std::vector<std::string> studies = joined(
        files(configs, ".yaml", [](const std::string& text) { return has(text, "\nobjectives:"); }),
        study_seeds());
    const auto is_matrix = [&](const std::string& text) {
        return !is_program(text) && !has(text, "from,");
    };
    return {
        {"config", all_configs,
         guarded([](const std::string& text) { require_round_trip(parse_config(text, "config")); }),
         2000, key_words()},
        {"machine", small_configs(all_configs), guarded(build_small), 2000, key_words()},
        {"set",
         {"fabric.buffer_depth=4\nnode.injection_bandwidth=1/3\ntraffic.message_bytes=4096",
          "traffic={pattern: uniform, injection_rate: 6.4 Gbit/s}\nnode.send_overhead=40 ns",
          "fabric.topology={kind: torus, dims: [3, 5], concentration: [2, 1]}\n"
          "fabric.routing=dimension_order",
          "fabric.router_overrides=[{nodes: [5], router: rtl}]\ntrace.nodes=[1, 2]",
          "fabric.router={top: mine, sources: [a/my_pkg.sv, mine.v], protocol: valid_ready}",
          "faults={links: [0-1, link_005_006], routers: [3], random_nodes: 0.1}\nfaults.seed=3",
          "fabric.virtual_channels=4\nfabric.classes=[control, bulk]\n"
          "fabric.class_priorities=[1, 0]\ntraffic.classes={bulk: 1}",
          "traffic={trace: {file: t.goal, eager_bytes: 4096, interfaces: "
          "refused}}\nnode.retransmit={tries: 2}\n"
          "fabric.link_delay={model: physical, pitch_mm: [2, 3]}\n"
          "fabric.link_rate={die: [4, 4], rate: 1/2, delay: 4, pj_per_bit: 0.5, gap_mm: 1}",
          "fabric.topology={kind: sparse_hamming, dims: [4, 6], offsets: [[3], [2, 4]]}",
          "fabric.planes=2\ntraffic.planes=steps",
          "traffic={trace: {format: chakra, file: app, control_dependencies: ignored, "
          "compute: {flops_per_ns: 100, bytes_per_ns: 50}}}",
          "fabric.topology={kind: dragonfly, groups: 3, group_size: 2, global_links: 1}\n"
          "fabric.link_rate={global: 1/3}"},
         guarded(read_overrides),
         2000,
         configuration_table().all_paths()},
        {"graph_yaml", joined(files(configs, ".yaml", is_graph), graph_yaml_seeds()),
         graph_reader(graph_file::read_yaml)},
        {"graph_csv",
         {"# nodes: 4\nfrom,to,length,both\n0,1,,true\n1,2,,true\n2,3,,true\n3,0,3,true\n",
          "# nodes_per_router: 4\nfrom,to\n0,1\n1,0\n",
          "from,to,from_port,to_port,delay,width\n0,1,1,1,2,64\n1,0,1,1,3,64\n"},
         graph_reader(graph_file::read_csv)},
        {"graph_anynet",
         {"router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3 node 4 node 5\n"
          "router 2 node 6 node 7 node 8 router 1 router 0\n",
          "router 1 router 0 15\r\n\nnode 1 router 0\nnode 0 router 1 1\nrouter 0 router 1 2\n"},
         graph_reader(graph_file::read_anynet)},
        {"graph_dot", dot_seeds(), graph_reader(graph_file::read_dot)},
        {"graph_graphml", graphml_seeds(), graph_reader(graph_file::read_graphml)},
        {"program_csv", programs, program_reader(ProgramFormat::kCsv)},
        {"program_yaml", program_yaml_seeds(), program_reader(ProgramFormat::kYaml)},
        {"goal_text", goals,
         guarded([](const std::string& text) { read_goal(parse_goal_text(text, "trace")); }),
         kTracesTried},
        {"goal_binary",
         {goal_binary_seed()},
         guarded([](const std::string& text) { read_goal(parse_goal_binary(text, "trace")); }),
         kTracesTried},
        {"chakra",
         {chakra_seed(0)},
         guarded([](const std::string& text) {
             Trace trace;
             trace.source = "trace";
             trace.ranks.resize(2);
             trace.ranks[0] = parse_chakra_rank(text, "trace", 2);
             trace.ranks[1] = parse_chakra_rank(chakra_seed(1), "trace.1", 2);
             play_trace(trace);
         }),
         kTracesTried},
        {"placement", {"3\n0\n# two\n1\n"}, guarded([](const std::string& text) {
             parse_placement(text, "placement", 3, kNodes);
         })},
        {"matrix", files(configs, ".csv", is_matrix),
         guarded([](const std::string& text) { parse_matrix(text, "matrix", kNodes); })},
        {"study", studies,
         guarded([configs](const std::string& text) { read_study(text, configs); }), 2000,
         configuration_table().all_paths()},
        {"variant",
         {"router_p5_v1_d8_w64_r1_mesh", "router_p2_v4_d8_w64_r1_table4_hold_combined",
          "router_p5_v4_d8_w64_r1_mesh_x2_c2_k10010003",
          "valid_ready_router_p5_v1_d8_w64_r1_hypercube_valid_ready", "link_v4_w128_d12"},
         read_variant,
         2000,
         {"router_p", "_hold", "_combined", "_valid_ready", "_table", "_hypercube", "link_v"}},
        {"liberty", liberty_seeds(),
         guarded([](const std::string& text) { read_cell_models(text, "library"); })},
        {"cell_library", {liberty_seeds().front()}, guarded([](const std::string& text) {
             const CellLibraryFile file{"library", "library", "", ""};
             parse_cell_library(text, file, "");
             parse_cell_library(text, file, "slow");
         })},
        {"netlist", netlist_seeds(),
         from_a_program([](const std::string& text) { parse_netlist(text, netlist_cells()); })},
        {"reports", report_seeds(), from_a_program(read_reports)},
    };
}

}  // namespace flitscope::fuzz
