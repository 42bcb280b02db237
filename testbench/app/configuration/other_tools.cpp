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
        {{"network_file"}, "fabric.topology.file", "of kind custom"},
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
        {{"router_latency", "routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_final_delay"},
         "fabric.router_delay",
         "in cycles, total over all stages"},
        {{"hold_switch_for_packet"}, "fabric.switch_arbitration", "per_packet, or round_robin"},
        {{"vnet", "vnets", "num_vnets", "number_of_virtual_networks"},
         "fabric.classes",
         "names of message classes, each with its own virtual channels"},
        {{"speculative"},
         "fabric.allocation",
         "combined: a head requests the switch together with its virtual channel"},
        {{"credit_delay"},
         "",
         "a credit takes as long as a flit on the same wire, 'fabric.link_delay' (hw/TIMING.md)"},
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
