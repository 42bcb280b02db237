// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/configuration/other_tools.h"

namespace flitscope {

std::vector<OtherNames> names_of_other_tools() {
    return {
        {{"k", "n", "mesh_dim_x", "mesh_dim_y", "mesh_rows", "num_cpus", "num_nodes"},
         "fabric.topology.dims",
         "a list of sides, [8, 8] for k = 8 and n = 2"},
        {{"c"},
         "fabric.topology.concentration",
         "nodes on each router: [2, 2] on a grid of two dimensions, 4 on a hypercube"},
        {{"network_file"},
         "fabric.topology.file",
         "of kind custom; a file of BookSim's anynet is named .anynet"},
        {{"routing_function", "routing_algorithm"}, "fabric.routing", ""},
        {{"num_vcs", "vcs", "vc", "n_virtual_channels", "num_virtual_channels"},
         "fabric.virtual_channels",
         ""},
        {{"vcs_per_vnet"}, "fabric.virtual_channels", "total over all 'fabric.classes'"},
        {{"vc_buf_size", "buf_size", "buffer_size", "vc_buffer_size", "buffers_per_data_vc",
          "buffers_per_ctrl_vc"},
         "fabric.buffer_depth",
         "in flits, of each virtual channel"},
        {{"link_width", "link_width_bits", "channel_width", "flit_size", "flit_width"},
         "fabric.flit_bits",
         "in bits; a link carries a flit in a cycle"},
        {{"link_latency", "channel_latency"}, "fabric.link_delay", "in cycles"},
        {{"router_latency"}, "fabric.router_delay", "in cycles, total over all stages"},
        {{"routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_final_delay"},
         "fabric.router_delay",
         "their sum less one, with one more cycle of fabric.link_delay: "
         "testbench/app/cli/BOOKSIM.md"},
        {{"hold_switch_for_packet"}, "fabric.switch_arbitration", "per_packet, or round_robin"},
        {{"vnet", "vnets", "num_vnets", "number_of_virtual_networks"},
         "fabric.classes",
         "names of message classes, each with its own virtual channels"},
        {{"speculative"},
         "fabric.router_delay",
         "one cycle less for heads: testbench/app/cli/BOOKSIM.md"},
        {{"credit_delay"},
         "",
         "a credit takes as long as a flit on the same wire, 'fabric.link_delay' (hw/TIMING.md, "
         "\"Channels\"), in which BookSim's cycle of processing it counts "
         "(testbench/app/cli/BOOKSIM.md)"},
        {{"vc_allocator", "sw_allocator"},
         "fabric.allocation",
         "separate or combined allocation; arbiters are 'fabric.switch_arbitration'"},
        {{"packet_size", "packet_length", "min_packet_size", "max_packet_size"},
         "traffic.message_bytes",
         "payload in bytes; a packet of P flits has (P - node.header_flits) * fabric.flit_bits / "
         "8"},
        {{"synthetic", "traffic_distribution"}, "traffic.pattern", ""},
        {{"injectionrate", "inj_rate", "packet_injection_rate"},
         "traffic.injection_rate",
         "flits per node and cycle, headers included: packets times the flits of one"},
        {{"injection_process"}, "traffic.arrivals", ""},
        {{"traffic_table_filename"}, "traffic.matrix", "a file of weights, for pattern matrix"},
        {{"trace_filename"}, "traffic.trace.file", ""},
        {{"warmup_period", "warmup_periods", "stats_warm_up_time"},
         "traffic.warmup_cycles",
         "in cycles; with a section 'steady' the warm-up is determined automatically"},
        {{"sample_period", "max_samples", "sim_cycles", "simulation_time"},
         "traffic.measure_cycles",
         "in cycles; with a section 'steady' the run ends when its latency has converged"},
        {{"sim_type"}, "", "this is a command here: run, curve (latency by load), saturate"},
        {{"clock_period_ps", "clock_period", "frequency"},
         "clock_ns",
         "the period in ns: 1 for 1 GHz"},
        {{"rnd_generator_seed"}, "seed", ""},
        {{"perm_seed"}, "seed", "draws permutations, too, and everything else"},
        {{"subnets"},
         "fabric.planes",
         "networks side by side; for requests and replies on the same wires fabric.classes"},
        {{"priority"},
         "fabric.class_priorities",
         "of classes; packets of one class go by round robin, not by age or length"},
        {{"use_read_write", "read_request_size", "read_reply_size", "write_request_size",
          "write_reply_size"},
         "traffic.reply_bytes",
         "each message is a request and gets a reply of so many bytes"},
        {{"max_outstanding_requests"},
         "traffic.outstanding",
         "requests of a node that wait for a reply"},
        {{"batch_size", "batch_count"},
         "traffic.schedule",
         "a fixed amount of traffic and the time it takes: a schedule, or a program file"},
        {{"burst_alpha", "burst_beta", "burst_r1"},
         "traffic.burst_cycles",
         "mean length of a burst, 1 / burst_beta; pauses follow from injection_rate and "
         "burst_rate"},
        {{"injection_rate_uses_flits"},
         "traffic.injection_rate",
         "always flits per cycle and node, or a load in units: 0.02 /ns"},
        {{"latency_thres"},
         "steady.max_cycles",
         "a load is unstable if its backlog grows (steady), not beyond a latency"},
        {{"use_noc_latency"},
         "fabric.link_delay",
         "wires of a torus take two cycles in BookSim with it: testbench/app/cli/BOOKSIM.md"},
        {{"watch_file", "watch_out"},
         "waveform.nodes",
         "what a waveform shows ('run --trace'); 'run --messages' lists the life of every message"},
        {{"sim_power", "power_output_file", "tech_file"},
         "",
         "'flitscope synth --energy', then 'run --energy': measured on synthesized gates"},
        {{"print_activity", "pair_stats", "stats_out"},
         "",
         "'run --out DIR' writes links.csv and, with --messages, messages.csv; '--json' all "
         "figures"},
        {{"wait_for_tail_credit"},
         "",
         "no: a virtual channel is free for the next packet once the tail has left (hw/TIMING.md, "
         "step 5)"},
        {{"buffer_policy", "private_bufs"},
         "",
         "no: every virtual channel has a FIFO of fabric.buffer_depth flits to itself; what "
         "sharing "
         "gives and costs: testbench/app/cli/BOOKSIM.md"},
        {{"noq"}, "", "no: a head is routed when it is at the front of a FIFO, not a hop ahead"},
        {{"alloc_iters"},
         "",
         "no: allocators make one pass (hw/TIMING.md, steps 2 and 3); what more passes would give: "
         "testbench/app/cli/BOOKSIM.md"},
        {{"output_speedup", "internal_speedup"},
         "",
         "no: an output port passes one flit per cycle, as its link does, and has no queue behind "
         "the switch; 'fabric.input_speedup' gives half of it on meshes "
         "(testbench/app/cli/BOOKSIM.md)"},
    };
}

std::vector<FormerName> former_names() {
    return {
        {"fabric.switch_arbitration=hold", "fabric.switch_arbitration=per_packet"},
        {"node.injection_rate", "node.injection_bandwidth"},
        {"node.send_startup", "node.send_overhead"},
        {"node.serial_startup", "node.serialize_overhead"},
        {"traffic.pieces", "traffic.chunks"},
        {"traffic.self", "traffic.self_messages"},
        {"trace", "waveform"},
    };
}

}  // namespace flitscope
