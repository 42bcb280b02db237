// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/fuzz/readers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/topology/files/graph_file.h"
#include "testbench/configuration/configuration.h"
#include "testbench/energy/gate_netlist.h"
#include "testbench/study/explore/study_file.h"
#include "testbench/study/slurm/chunk.h"
#include "traffic/patterns/matrix_file.h"
#include "traffic/program/program_file.h"
#include "traffic/traces/chakra.h"
#include "traffic/traces/expansion.h"
#include "traffic/traces/goal_binary.h"
#include "traffic/traces/goal_text.h"
#include "traffic/traces/placement.h"
#include "traffic/traces/trace_program.h"

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

bool has(const std::string& text, const char* part) {
    return ("\n" + text).find(part) != std::string::npos;
}

/// A finding is on one line that a terminal can show.
void require_showable(const ConfigError& error) {
    if (error.findings().empty()) throw std::logic_error("an error without a finding");
    for (const Diagnostic& finding : error.findings()) {
        for (const char c : finding.str()) {
            const auto code = static_cast<unsigned char>(c);
            if (code < 0x20 || code == 0x7f) throw std::logic_error("shows " + finding.str());
        }
    }
}

template <class Read>
std::function<void(const std::string&)> guarded(Read read) {
    return [read](const std::string& text) {
        try {
            read(text);
        } catch (const ConfigError& error) {
            require_showable(error);
        }
    };
}

/// What is written of a configuration is read as the same.
void require_round_trip(const Config& config) {
    const std::string written = to_yaml(config);
    try {
        if (to_yaml(parse_config(written, "again")) == written) return;
    } catch (const ConfigError& error) {
        throw std::logic_error("written, but not read: " + std::string(error.what()));
    }
    throw std::logic_error("written and read, and another:\n" + written);
}

/// One override per line, over a small configuration.
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

/// A chunk of points, as a job of a cluster gets it.
std::string chunk() {
    study::Json points = study::Json::array();
    for (const char* const traffic : {"{schedule: pex}", "{pattern: uniform}"}) {
        study::Point point;
        point.config = parse_config(
            "fabric: {topology: {kind: mesh, dims: [2, 2]}}\ntraffic: " + std::string(traffic),
            "a point");
        points.push_back(to_json(point));
    }
    return study::Json{{"program", study::program_name()}, {"points", points}}.dump();
}

/// What is kept of a measurement.
std::string outcome() {
    study::PointOutcome outcome;
    outcome.status = "complete";
    outcome.metrics = {{"cycles", "cycles", 12}, {"mean_latency", "cycles", 3.5, 0.1, 7, "mean"}};
    outcome.words = {{"engine", "tlm"}};
    outcome.by_hops.emplace_back().hops = 2;
    outcome.by_cause.emplace();
    return to_json(outcome).dump();
}

/// What is taken is written, and read as the same.
void read_outcome(const std::string& text) {
    const auto outcome = study::parse_outcome(text);
    if (!outcome) return;
    const std::string written = to_json(*outcome).dump();
    const auto again = study::parse_outcome(written);
    if (!again || to_json(*again).dump() != written) {
        throw std::logic_error("written and read, and another: " + written);
    }
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

/// What is taken of a trace becomes a program, or is refused for what only all of it shows.
void play_trace(Trace trace) {
    static const Config kConfig = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {trace: {file: trace}}\n",
        "config");
    TraceBalance balance;
    balance.begin(static_cast<RankId>(trace.ranks.size()));
    bool is_even = true;
    for (RankId rank = 0; rank < trace.ranks.size(); ++rank) {
        is_even = balance.add(rank, trace.ranks[rank]) && is_even;
    }
    try {
        check_trace(trace);
    } catch (const ConfigError&) {
        if (is_even && balance.is_even()) throw std::logic_error("even, and refused");
        throw;
    }
    make_rendezvous(trace, 100);
    check_trace(trace);
    const Program program = trace_program(trace, kConfig, kNodes);
    if (!validate(program).empty()) throw std::logic_error("a program that is not sound");
}

/// What is written of it is read as the same.
void read_goal(const Trace& trace) {
    std::ostringstream written;
    write_goal_text(trace, written);
    std::ostringstream again;
    write_goal_text(parse_goal_text(written.str(), "again"), again);
    if (written.str() != again.str()) throw std::logic_error("written and read, and another");
    play_trace(trace);
}

/// The two ranks of a trace in binary: computes and sends; receives.
std::string goal_binary() {
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

/// The file of rank 0 of two, with a message and a collective.
std::string chakra() {
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
           node(2, "send", 5,
                field(5, std::string(1, 1)) + attribute("comm_size", 9, 64) +
                    attribute("comm_dst", 7, 1) + attribute("comm_tag", 11, 3)) +
           node(3, "sum", 7,
                number(4, 2) + attribute("comm_size", 13, 100) + attribute("comm_type", 17, 0));
}

}  // namespace

std::vector<FuzzedReader> fuzzed_readers(const std::string& configs) {
    const std::vector<std::string> graphs_in_dot = {
        "digraph \"two\" {\n node [shape=box]; edge [delay=2];\n a -> b -> {c \"d e\"} "
        "[length=3, color=red];\n subgraph s { c -> a } c, \"d\" + \" e\" -> a:n;\n}\n",
        "strict graph { /* ring */ 0 -- 1 -- 2 -- 0; 0 [row=0, column=0]; 1 [row=0, column=1];\n"
        "# line\n 2 [row=1, column=1] label=<a<b>c</b>> }\n"};
    const std::vector<std::string> graphs_in_graphml = {
        "<?xml version='1.0'?><graphml><key id='d' for='edge' attr.name='delay'>"
        "<default>2</default></key><!-- two --><graph edgedefault='undirected'>"
        "<node id='a'/><node id='b'/><edge source='a' target='b'><data key='d'>3</data></edge>"
        "</graph></graphml>\n"};
    const std::vector<std::string> programs_in_yaml = {
        "barrier: {per_doubling: 0, fixed: 5}\ntransfers:\n"
        "  - {source: 0, destination: 1, bytes: 64, step: 0}\n",
        "transfers:\n  - {id: 7, source: 0, destination: 1, bytes: 64, time_ns: 0.5}\n"
        "  - {source: 1, destination: 2, bytes: 64, time: 10, after: [7], streams: 1}\n"};
    const std::vector<std::string> libraries = {
        "library (tiny) { time_unit : \"1ns\"; capacitive_load_unit (1, pf);\n"
        "cell (\"AND2\") { area : 2; pin (A) { direction : input; } pin (B) { direction : input; "
        "}\n"
        " pin (Y) { direction : output; function : \"(A B)+!(A^B)'\"; timing () { x : 1; } } }\n"
        "cell (DFF) { ff (IQ, IQN) { clocked_on : \"C\"; next_state : \"D\"; } /* edge */\n"
        " pin (C) { direction : input; } pin (D) { direction : input; } \\\n"
        " pin (Q) { direction : output; function : IQ } } }\n"};
    const auto is_config = [](const std::string& text) { return has(text, "\nfabric:"); };
    const auto is_graph = [](const std::string& text) { return has(text, "\nlinks:"); };
    const auto is_program = [](const std::string& text) { return has(text, "source,"); };
    const auto is_study = [](const std::string& text) { return has(text, "\nobjectives:"); };
    const auto is_matrix = [&](const std::string& text) {
        return !is_program(text) && !has(text, "from,");
    };
    return {
        {"config", files(configs, ".yaml", is_config), guarded([](const std::string& text) {
             require_round_trip(parse_config(text, "config"));
         })},
        {"set",
         {"fabric.buffer_depth=4\nnode.injection_rate=1/3\ntraffic.message_bytes=4KB",
          "fabric.topology={kind: torus, dims: [3, 5]}\nfabric.routing=dimension_order",
          "fabric.router_overrides=[{nodes: [5, 9], router: rtl}]\ntrace.nodes=[1, 2]",
          "fabric.router={top: mine, sources: [a/my_pkg.sv, mine.v], protocol: valid_ready}",
          "faults={links: [0-1, link_005_006], random_nodes: 0.1}\nfaults.seed=3"},
         guarded(read_overrides)},
        {"graph_yaml", files(configs, ".yaml", is_graph), graph_reader(graph_file::read_yaml)},
        {"graph_csv",
         {"# nodes: 4\nfrom,to,length,both\n0,1,,true\n1,2,,true\n2,3,,true\n3,0,3,true\n",
          "from,to,from_port,to_port,delay\n0,1,1,1,2\n1,0,1,1,3\n"},
         graph_reader(graph_file::read_csv)},
        {"graph_dot", graphs_in_dot, graph_reader(graph_file::read_dot)},
        {"graph_graphml", graphs_in_graphml, graph_reader(graph_file::read_graphml)},
        {"program_csv", files(configs, ".csv", is_program), program_reader(ProgramFormat::kCsv)},
        {"program_yaml", programs_in_yaml, program_reader(ProgramFormat::kYaml)},
        {"goal_text", files(configs, ".goal", [](const std::string&) { return true; }),
         guarded([](const std::string& text) { read_goal(parse_goal_text(text, "trace")); }),
         kTracesTried},
        {"goal_binary",
         {goal_binary()},
         guarded([](const std::string& text) { read_goal(parse_goal_binary(text, "trace")); }),
         kTracesTried},
        {"chakra",
         {chakra()},
         guarded([](const std::string& text) {
             Trace trace;
             trace.source = "trace";
             trace.ranks.resize(2);
             trace.ranks[0] = parse_chakra_rank(text, "trace", 2);
             play_trace(trace);
         }),
         kTracesTried},
        {"placement", {"3\n0\n# two\n1\n"}, guarded([](const std::string& text) {
             parse_placement(text, "placement", 3, kNodes);
         })},
        {"matrix", files(configs, ".csv", is_matrix),
         guarded([](const std::string& text) { parse_matrix(text, "matrix", kNodes); })},
        {"study", files(configs, ".yaml", is_study),
         guarded([](const std::string& text) { study::parse_study(text, "study", {}); })},
        {"chunk", {chunk()}, guarded([](const std::string& text) {
             study::parse_chunk(text, "chunk");
         })},
        {"outcome", {outcome()}, read_outcome},
        {"liberty", libraries,
         guarded([](const std::string& text) { read_cell_models(text, "library"); })},
    };
}

}  // namespace flitscope::fuzz
