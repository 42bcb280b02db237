// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/fuzz/seeds.h"

#include <cstddef>
#include <cstdint>

namespace flitscope::fuzz {
namespace {

/// Cells of which a router can be made.
constexpr const char* kLibrary =
    "library (tiny) { time_unit : \"1ns\"; capacitive_load_unit (1, pf);\n"
    "nom_voltage : 1.8; default_operating_conditions : typical;\n"
    "operating_conditions (typical) { process : 1; voltage : 1.8; temperature : 25; }\n"
    "operating_conditions (slow) { voltage : 1.6; temperature : 125; }\n"
    "cell (AND2) { area : 2; pin (A) { direction : input; } pin (B) { direction : input; }\n"
    " pin (Y) { direction : output; function : \"(A&B)\"; timing () { x : 1; } } }\n"
    "cell (INV) { area : 1; pin(A) { direction : input; }\n"
    " pin(Y) { direction : output; function : \"!A\"; } }\n"
    "cell (BUF) { area : 1.5; pin(A) { direction : input; }\n"
    " pin(Y) { direction : output; function : \"A\"; } }\n"
    "cell (DFF) { area : 5; ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; } /* edge */\n"
    " pin (C) { direction : input; } pin (D) { direction : input; } \\\n"
    " pin (Q) { direction : output; function : IQ } } }\n";

}  // namespace

std::vector<std::string> config_seeds() {
    return {
        "fabric:\n"
        "  topology: {kind: mesh, dims: [4, 4]}\n"
        "  virtual_channels: 2\n"
        "  allocation: combined\n"
        "  input_speedup: 2\n"
        "  pin_budget: 512\n"
        "  router_delay: 2\n"
        "  link_delay: {model: constant, cycles: 3}\n"
        "node: {serialize_overhead: true, header_flits: 2, retransmit: {timeout: 500, tries: 2}}\n"
        "faults: {links: [0-1], nodes: [5], random_links: 0.1, at: 300, keep_connected: true,\n"
        "         seed: 7}\n"
        "traffic: {pattern: uniform, arrivals: bursty, burst_cycles: 50, burst_rate: 0.5}\n"
        "waveform: {from: 10, until: 2000, details: true, endpoints: true, links: [0-4]}\n",
        "fabric:\n"
        "  topology: {kind: torus, dims: [4, 4], folded: true}\n"
        "  virtual_channels: 2\n"
        "  router: {top: mine, sources: [m.sv], include: [inc], defines: {LEAST: 2},\n"
        "           protocol: valid_ready, routes: table}\n"
        "  router_parameters: {InFifoDepth: 4, XCoord: x}\n"
        "  output_speedup: 2\n"
        "  output_queue: 5\n"
        "  switching: store_and_forward\n"
        "  combining_delay: 4\n"
        "  bisection_budget: 1024\n"
        "  link_delay: {model: physical, pitch_mm: area, node_mm2: 1.5, ns_per_mm: 0.1,\n"
        "               pf_per_mm: 0.2}\n"
        "clock_ns: synth\n"
        "technology: {library: osu018, corner: slow, wires: fanout, clock_gates: true}\n"
        "traffic: {pattern: transpose, injection_rate: 0.01 /ns}\n"
        "steady: {confidence: 0.99, half_width: 0.1, max_cycles: 50000, warmup: mser5}\n"
        "limits: {max_cycles: 1000000}\n",
        "fabric: {topology: {kind: sparse_hamming, dims: [4, 6], offsets: [[], [2, 5]]},\n"
        "         link_delay: {model: physical, pitch_mm: [1.5, 2]}, pin_budget: 512,\n"
        "         link_rate: {die: [2, 3], rate: 1/2, delay: 3, pj_per_bit: 0.5, gap_mm: 0.4}}\n"
        "node: {send_overhead: 12.5 ns, recv_overhead: 3ns, retransmit: {timeout: 4000 ns}}\n"
        "traffic: {pattern: uniform, reply_bytes: 8, reply_delay: 40 ns,\n"
        "          injection_rate: 6.4 Gbit/s, arrivals: bursty, burst_cycles: 100 ns}\n"
        "clock_ns: 0.8\n",
        "fabric: {topology: {kind: hypercube, dimensions: 4}, routing: lash, spread: paths}\n"
        "traffic:\n"
        "  trace: {file: app, format: chakra, placement: file, placement_file: nodes.txt,\n"
        "          send_completes: injected, eager_bytes: 4096, rendezvous: acknowledge,\n"
        "          receive_time: transfer, compute_scale: 0.5,\n"
        "          algorithms: [allreduce/ring up to 65536]}\n",
        "fabric: {topology: {kind: mesh, dims: [2, 2], concentration: [2, 1],\n"
        "                    extra_nodes: {mem0: 0, mem1: 3}}}\n"
        "faults: {routers: [2]}\n"
        "trace: {routers: [0], nodes: [5]}\n",
        "fabric: {topology: {kind: dragonfly, groups: 3, group_size: 2, global_links: 1,\n"
        "                    concentration: 2, extra_nodes: [0, 5]}}\n"
        "traffic: {pattern: hotspot, root: 12}\n",
        "fabric: {topology: {kind: mesh, dims: [2, 2]}, link_protocol: valid_ready,\n"
        "         header_bits: 40}\n"
        "node: {header_flits: 0}\n"
        "traffic: {program: mine.csv, self_messages: drop, handshake: true}\n"
        "interconnect: {initiators: [0, 3], targets: [{node: 1, base: 0x0, size: 0x1000}],\n"
        "               header_bytes: 4, outstanding: 2, dmi: true}\n",
        "fabric: {topology: {kind: mesh, dims: [2, 2]}, virtual_channels: 2, classes: [a, b]}\n"
        "interconnect: {initiators: [0, 3], targets: [{node: 1, base: 0x0, size: 0x1000}],\n"
        "               request_class: b, response_class: a, request_queue: 3}\n",
        "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
        "interconnect: {initiators: [0], targets: [{node: 1, base: 0x0, size: 0x1000}],\n"
        "               timing: annotated, queueing: 12}\n"};
}

std::vector<std::string> graph_yaml_seeds() {
    return {
        "nodes: 4\nendpoints: 3\npositions: [[0, 0], [0, 2], [2, 0], [1, 1]]\nlinks:\n"
        "  - {from: 0, to: 3, both: true, length: 2, delay: 3}\n"
        "  - {from: 1, to: 3, both: true, width: 64}\n"
        "  - {from: 3, to: 2}\n  - {from: 2, to: 3}\n",
        "routers: 3\nat: [2, 0, 0, 2, 2]\nlinks:\n  - {from: 0, to: 1, both: true}\n"
        "  - {from: 1, to: 2, both: true}\n",
        "routers: 2\nnodes_per_router: 4\nlinks: [{from: 0, to: 1, both: true}]\n"};
}

std::vector<std::string> study_seeds() {
    return {
        "base: ../mesh_8x8_steady.yaml\n"
        "vary:\n  fabric.buffer_depth: {small: 2, large: 8}\n"
        "  fabric.routing: [dimension_order, odd_even]\n"
        "where: [\"not (fabric.buffer_depth == small and 2 * 3 - 1 >= 5 / 1)\"]\n"
        "measure: {a: {kind: saturation, weight: 2}, b: {kind: run, set: {seed: 2}}}\n"
        "objectives: {max: [saturation_gbps], min: area_mm2}\n"
        "constraints: {area_mm2: {min: 0.1, max: 3}}\n"
        "search: {method: nsga2, evaluations: 8, population: 4, seed: 3}\n",
        "base: ../mesh_8x8_pex.yaml\n"
        "vary: {fabric.buffer_depth: [2, 4], fabric.flit_bits: [32, 64]}\n"
        "zip: [[fabric.buffer_depth, fabric.flit_bits]]\n"
        "objectives: {min: [cycles, pins]}\nsearch: {method: random, evaluations: 3, seed: 1}\n",
        "base: ../mesh_8x8_pex.yaml\nvary: {fabric.buffer_depth: [2, 4]}\n"
        "objectives: {min: [cycles]}\nsearch: {method: exact}\n"};
}

std::string goal_binary_seed() {
    std::string bytes;
    const auto add = [&bytes](std::uint64_t number, std::size_t size) {
        for (; size != 0; --size, number >>= 8U) bytes += static_cast<char>(number & 0xffU);
    };
    add(4223, 8);
    add(2, 4);
    add(1, 1);
    add(0, 1);
    constexpr std::uint64_t kTable = 6 + 2 * 16;
    constexpr std::uint64_t kFirst = 8 + 4 + 2 * 39 + 4;
    constexpr std::uint64_t kSecond = 8 + 4 + 39;
    for (const std::uint64_t at :
         {kTable, kTable + kFirst, kTable + kFirst, kTable + kFirst + kSecond}) {
        add(at, 8);
    }
    const auto node = [&](std::uint64_t waits, std::uint64_t type, std::uint64_t peer,
                          std::uint64_t size, std::uint64_t successors) {
        add(waits, 4);
        add(type, 1);
        add(peer, 4);
        add(size, 8);
        add(7, 4);
        add(1, 1);
        add(0, 1);
        add(successors, 4);
        add(0, 4);
        add(0, 4);
        add(successors, 4);
    };
    add(2, 4);
    add(1, 4);
    add(0, 4);
    node(0, 3, 0, 1500, 1);
    node(1, 1, 1, 64, 0);
    add(1, 4);
    add(1, 4);
    add(1, 4);
    add(0, 4);
    node(0, 2, 0, 64, 0);
    return bytes;
}

std::string chakra_seed(int rank) {
    const auto field = [](int id, const std::string& bytes) {
        return std::string(1, static_cast<char>(id * 8 + 2)) +
               std::string(1, static_cast<char>(bytes.size())) + bytes;
    };
    const auto number = [](int id, int value) {
        std::string key(1, static_cast<char>((id * 8 & 0x7f) | (id > 15 ? 0x80 : 0)));
        if (id > 15) key += static_cast<char>(id >> 4);
        return key + std::string(1, static_cast<char>(value));
    };
    const auto attribute = [&](const char* name, int kind, int value) {
        return field(10, field(1, name) + number(kind, value));
    };
    const auto node = [&](int id, const char* name, int type, const std::string& more) {
        const std::string bytes = number(1, id) + field(2, name) + number(3, type) + more;
        return std::string(1, static_cast<char>(bytes.size())) + bytes;
    };
    return field(0, "").substr(1) +
           node(1, "forward", 4, number(7, 12) + attribute("is_cpu_op", 27, 0)) +
           node(2, rank == 0 ? "send" : "receive", rank == 0 ? 5 : 6,
                field(5, std::string(1, 1)) + attribute("comm_size", 9, 64) +
                    attribute(rank == 0 ? "comm_dst" : "comm_src", 7, 1 - rank) +
                    attribute("comm_tag", 11, 3)) +
           node(3, "sum", 7,
                number(4, 2) + attribute("comm_size", 13, 100) + attribute("comm_type", 17, 0));
}

std::vector<std::string> dot_seeds() {
    return {
        "digraph \"two\" {\n node [shape=box]; edge [delay=2];\n a -> b -> {c \"d e\"} "
        "[length=3, color=red];\n subgraph s { c -> b } c, \"d\" + \" e\" -> a:n;\n}\n",
        "strict graph { /* ring */ 0 -- 1 -- 2 -- 0; 0 [row=0, column=0]; 1 [row=0, column=1];\n"
        "# line\n 2 [row=1, column=1] label=<a<b>c</b>> }\n",
        "graph { node [endpoint=false]; \"x-bar\"; node [endpoint=true];\n"
        " \"x-bar\" -- {cpu0, \"cpu-1\", mem} }\n",
        "graph { xbar [nodes=0]; a [nodes=4]; a -- xbar -- b; cpu [at=xbar]; gpu [at=b]; }\n"};
}

std::vector<std::string> graphml_seeds() {
    return {
        "<?xml version='1.0'?><graphml><key id='d' for='edge' attr.name='delay'>"
        "<default>2</default></key><!-- two --><graph edgedefault='undirected'>"
        "<node id='a'/><node id='b'/><edge source='a' target='b'><data key='d'>3</data></edge>"
        "</graph></graphml>\n",
        "<graphml><key id='e' for='node' attr.name='endpoint' attr.type='boolean'/>"
        "<graph edgedefault='undirected'><node id='hub'><data key='e'>false</data></node>"
        "<node id='a'/><edge source='hub' target='a'/></graph></graphml>\n",
        "<graphml><key id='n' for='node' attr.name='nodes' attr.type='int'/>"
        "<key id='p' for='node' attr.name='at' attr.type='string'/>"
        "<graph edgedefault='undirected'><node id='a'><data key='n'>2</data></node>"
        "<node id='b'/><node id='cpu'><data key='p'>b</data></node>"
        "<edge source='a' target='b'/></graph></graphml>\n"};
}

std::vector<std::string> program_csv_seeds() {
    return {
        "# all\nid,source,destination,bytes,time_ns,after,class\n1,0,1,64,0.5,,0\n"
        "2,1,2,4096,20,1,1\n4,3,1,8,0,,0\n9,1,3,0,50,1 4,0\n",
        "id,source,destination,bytes,time_us,after,streams,copy\n1,0,1,64,1,,0,0\n"
        "2,1,2,64,1,1,1,0\n3,1,5,64,1,1,1,1\n",
        "source,destination,bytes,step,port\r\n0,1,8,0,1\r\n3,2,8,2,1\r\n"};
}

std::string goal_text_seed() {
    return "num_ranks 3\n/* to and fro */\nrank 0 {\nl1: send 10b to 1 tag 7 cpu 0 nic 0\n"
           "l2: recv 20b from -1 tag -1\nl3: calc 500 cpu 1\nl3 irequires l1\nl2 requires l3\n}\n"
           "rank 1 {\nl1: recv 10b from 0 tag 7\nl2: send 20b to 0\nl2 requires l1 // then\n}\n"
           "rank 2 {\n}\n";
}

std::vector<std::string> program_yaml_seeds() {
    return {
        "barrier: {per_doubling: 0, fixed: 5}\ntransfers:\n"
        "  - {source: 0, destination: 1, bytes: 64, step: 0}\n",
        "transfers:\n  - {id: 7, source: 0, destination: 1, bytes: 64, time_ns: 0.5}\n"
        "  - {source: 1, destination: 2, bytes: 64, time: 10, after: [7], streams: 1}\n"};
}

std::vector<std::string> liberty_seeds() {
    return {kLibrary,
            "library (tiny) { cell (\"ANDX\") { area : 2; pin (A) { direction : input; }\n"
            " pin (B) { direction : input; }\n"
            " pin (Y) { direction : output; function : \"(A B)+!(A^B)'\"; } } }\n"};
}

std::vector<std::string> netlist_seeds() {
    return {
        "/* yosys */\n(* top = 1 *)\nmodule \\r$x (clk, a, b, y);\n  input clk;\n"
        "  input [1:0] a;\n  wire [1:0] a;\n  input b;\n  output [1:0] y;\n  wire \\n[3] ;\n"
        "  AND2 g1 (\n    .A(a[0]),\n    .B(b),\n    .Y(\\n[3] )\n  );\n"
        "  DFF f1 ( .C(clk), .D(\\n[3] ), .Q(y[0]) );\n"
        "  assign y[1] = 1'h0; // nothing\n  assign { a[1], a[0] } = 2'b01;\nendmodule\n",
        "module t(y); output y; INV i (.A(1'b1), .Y(y)); endmodule\n"};
}

std::vector<std::string> report_seeds() {
    return {
        "   Number of cells:                  3\n     AND2         2\n     DFF          1\n"
        "   Chip area for module '\\r': 9.0\nworst slack -0.25\n"
        "Total 1.0e-03 2.0e-03 3.0e-09 3.0e-03 100.0%\n"
        "recorded 0 all 1e-3 2e-3 3e-9\nrecorded 0 drivers 0 1e-4 0\n"
        "recorded 0 crossing 1e-5 2e-5 0\nrecorded 0 gated 0 0 0\n"};
}

}  // namespace flitscope::fuzz
