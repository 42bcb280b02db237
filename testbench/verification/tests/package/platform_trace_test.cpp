// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What a trace shows of the accesses of a platform.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "flitscope/interconnect.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/tlm/tlm_platform.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string read_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The changes of a variable of a VCD, "cycle:value" each, at 1 ns per cycle and 1 ps per tick.
std::vector<std::string> changes_of(const std::string& vcd, const std::string& path) {
    std::istringstream words(vcd);
    std::vector<std::string> scopes;
    std::vector<std::string> changes;
    std::string word;
    std::string code;
    std::uint64_t cycle = 0;
    while (words >> word) {
        if (word == "$scope") {
            std::string kind;
            words >> kind >> word;
            scopes.push_back(word);
        } else if (word == "$upscope") {
            scopes.pop_back();
        } else if (word == "$var") {
            std::string kind;
            std::string width;
            std::string id;
            std::string name;
            words >> kind >> width >> id >> name;
            std::string full;
            for (const std::string& scope : scopes) full += scope + '.';
            if (full + name.substr(0, name.find('[')) == path) code = id;
        } else if (word[0] == '#') {
            cycle = std::stoull(word.substr(1)) / 1000;
        } else if (word[0] == 'b') {
            std::string id;
            words >> id;
            if (id != code || code.empty()) continue;
            const bool is_none = word[1] == 'z';
            changes.push_back(
                std::to_string(cycle) + ':' +
                (is_none ? "z" : std::to_string(std::stoull(word.substr(1), nullptr, 2))));
        }
    }
    return changes;
}

/// The numbers of the tables of words: GTKWave ends at a gap between them.
std::string table_numbers(const std::string& vcd) {
    std::istringstream lines(vcd);
    std::string numbers;
    for (std::string line; std::getline(lines, line);) {
        if (line.find("attrbegin misc 07 ") == std::string::npos) continue;
        if (line.find("misc 07 \"\"") != std::string::npos) continue;  // a reference
        std::istringstream words(line);
        std::string last;
        for (std::string word; words >> word && word != "$end";) last = word;
        numbers += (numbers.empty() ? "" : " ") + last;
    }
    return numbers;
}

/// A write at 0x1040 by the second initiator and a read at 0x1100 after it; returns the trace.
std::string traced(const std::string& engine, const std::string& suffix, bool details) {
    const std::string path = testing::TempDir() + "platform_trace" + suffix;
    const FreshKernel kernel;
    Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [3]}}\n"
        "interconnect: {initiators: [2, 0], targets: [{node: 1, base: 0x1000, size: 0x1000}]}\n",
        "platform.yaml", {});
    config.trace.details = details;
    NetworkOptions options;
    options.engine = engine;
    options.trace = path;
    Interconnect interconnect("net", config, fabric_with(options));
    Initiator idle("idle");
    Initiator cpu("cpu");
    Memory memory("memory", 0x1000);
    PayloadPool pool;
    idle.socket.bind(interconnect.from_initiator[0]);
    cpu.socket.bind(interconnect.from_initiator[1]);
    interconnect.to_target[0].bind(memory.socket);
    cpu.script = [&] {
        cpu.transport(pool.get(tlm::TLM_WRITE_COMMAND, 0x1040, 8));
        cpu.transport(pool.get(tlm::TLM_READ_COMMAND, 0x1100, 8));
    };
    sc_core::sc_start();
    interconnect.fabric().finish();
    std::string text = read_file(path);
    if (suffix == ".fst") {
        const std::string vcd = path + ".vcd";
        EXPECT_EQ(std::system(("fst2vcd -e " + path + " > " + vcd).c_str()), 0);
        text = read_file(vcd);
    }
    return text;
}

TEST(PlatformTrace, ShowsTheAccessOfEachPacket) {
    for (const std::string engine : {"cycle", "tlm"}) {
        for (const std::string suffix : {".vcd", ".fst"}) {
            SCOPED_TRACE(engine + suffix);
            const std::string vcd = traced(engine, suffix, true);
            const std::string link = "fabric.links.link_000_001.";
            // The write of 3 flits is sent in 1 to 3, over the link in 2 to 4, and is delivered in
            // 6. Its response begins in 8, is delivered in 12, and the read of 2 flits begins
            // in 14.
            EXPECT_THAT(changes_of(vcd, link + "address"),
                        ElementsAre("0:z", "2:4160", "5:z", "15:4352", "17:z"));
            EXPECT_THAT(changes_of(vcd, link + "access"),
                        ElementsAre("0:z", "2:1", "5:z", "15:0", "17:z"));
            EXPECT_THAT(changes_of(vcd, link + "initiator"),
                        ElementsAre("0:z", "2:1", "5:z", "15:1", "17:z"));
            const std::string back = "fabric.links.link_001_000.";
            const std::vector<std::string> kinds = changes_of(vcd, back + "access");
            EXPECT_EQ(table_numbers(vcd), suffix == ".fst" ? "1 2" : "");
            ASSERT_EQ(kinds.size(), 5U);
            EXPECT_THAT(kinds[1], HasSubstr(":4"));
            EXPECT_THAT(kinds[3], HasSubstr(":3"));
        }
        EXPECT_THAT(traced(engine, ".vcd", false), Not(HasSubstr("address")));
    }
}

TEST(PlatformTrace, IsOfOneNetwork) {
    const FreshKernel kernel;
    const Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [2]}}\n"
        "interconnect: {initiators: [0], targets: [{node: 1, base: 0, size: 16}]}\n",
        "platform.yaml", {});
    NetworkOptions options;
    options.trace = testing::TempDir() + "of_one_network.vcd";
    const auto first = std::make_unique<Interconnect>("first", config, fabric_with(options));
    EXPECT_THAT(
        refused_with([&] { const Interconnect second("second", config, fabric_with(options)); }),
        HasSubstr("another network of this program writes this file"));
}

TEST(PlatformTrace, NamesTheAccessesInPerfetto) {
    for (const std::string engine : {"cycle", "tlm"}) {
        const auto json = nlohmann::json::parse(traced(engine, ".json", false));
        std::map<std::string, int> seen;
        for (const auto& event : json["traceEvents"]) {
            if (event["ph"] != "X") continue;
            const auto& args = event["args"];
            ++seen[args["access"].get<std::string>() + ' ' + args["address"].get<std::string>() +
                   ' ' + args["initiator"].dump()];
        }
        // Each message holds an injection channel, a link and an ejection channel.
        const std::map<std::string, int> expected{{"write_request 0x1040 1", 3},
                                                  {"write_response 0x1040 1", 3},
                                                  {"read_request 0x1100 1", 3},
                                                  {"read_response 0x1100 1", 3}};
        EXPECT_EQ(seen, expected) << engine;
    }
}

}  // namespace
}  // namespace flitscope
