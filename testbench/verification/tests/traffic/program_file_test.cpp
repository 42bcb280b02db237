// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Files of programs: reading back, errors and their places.
#include "traffic/program/program_file.h"
#include "models/config/config.h"
#include "models/config/traffic_config.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "models/base/limits.h"
#include "models/base/printable.h"
#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/traffic/small_programs.h"
#include "traffic/program/program_limits.h"
#include "traffic/schedules/exchange/pairwise_exchanges.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

void expect_equal(const Program& a, const Program& b) {
    EXPECT_EQ(a.nodes, b.nodes);
    EXPECT_EQ(a.ordering, b.ordering);
    ASSERT_EQ(a.transfers.size(), b.transfers.size());
    for (std::size_t i = 0; i < a.transfers.size(); ++i) {
        const Transfer& x = a.transfers[i];
        const Transfer& y = b.transfers[i];
        EXPECT_EQ(std::tie(x.source, x.destination, x.bytes, x.step, x.time, x.after, x.port,
                           x.is_copy, x.streams),
                  std::tie(y.source, y.destination, y.bytes, y.step, y.time, y.after, y.port,
                           y.is_copy, y.streams))
            << i;
    }
}

std::string written(const Program& program, ProgramFormat format) {
    std::ostringstream out;
    write_program(program, out, format);
    return out.str();
}

Program csv(const std::string& text) {
    return parse_program(text, ProgramFormat::kCsv, "p.csv", 16);
}
Program yaml(const std::string& text) {
    return parse_program(text, ProgramFormat::kYaml, "p.yaml", 16);
}

TEST(ProgramFile, ReadsBackWhatItWrote) {
    const Program timed = timed_program(16, {timed_send(0, 1, 5), timed_send(1, 2, 0, {0, 3}),
                                             timed_send(2, 0, kLongTime), timed_send(2, 1, 0)});
    Program ports = timed;
    ports.transfers.change(1, [](Transfer& t) { t.port = 65535; });
    ports.transfers.push_back(ports.transfers.back());
    ports.transfers.change(ports.transfers.size() - 1, [](Transfer& t) { t.is_copy = true; });
    Program streams = timed_program(16, {timed_send(0, 1, 5), timed_send(1, 2, 0, {0})});
    streams.transfers.change(1, [](Transfer& t) { t.streams = true; });
    for (const ProgramFormat format : {ProgramFormat::kCsv, ProgramFormat::kYaml}) {
        for (const Program& program : {pex(16, 1000), naive(16, 0), timed, ports, streams}) {
            expect_equal(parse_program(written(program, format), format, "p", 16), program);
        }
        const Program empty = step_program(16, {});
        expect_equal(parse_program(written(empty, format), format, "p", 16), empty);
    }
}

TEST(ProgramFile, KeepsTheBarrierInYamlOnly) {
    Program program = pex(16, 1);
    program.barrier_cycles = 250;
    EXPECT_EQ(yaml(written(program, ProgramFormat::kYaml)).barrier_cycles, Cycle{250});
    EXPECT_EQ(csv(written(program, ProgramFormat::kCsv)).barrier_cycles, std::nullopt);
    EXPECT_EQ(yaml("barrier: {per_doubling: 2.5, fixed: 1}\ntransfers: []").barrier_cycles,
              Cycle{11});
}

TEST(ProgramFile, CsvMayBeWrittenByHand) {
    const Program program =
        csv("\xef\xbb\xbf# who, to whom\r\n"
            "\r\n"
            " id , bytes,source ,destination, after,time\r\n"
            "10, 256, 0, 1, , 0\r\n"
            "  # an answer\n"
            "20, \"128\", 1, 0, 10, 5\n"
            "30, 64, 0, 2, 20 ; 40, 5\n"
            "40, 64, 3, 0, , 5");
    EXPECT_EQ(program.ordering, Ordering::kTimed);
    ASSERT_THAT(program.transfers, SizeIs(4));
    EXPECT_EQ(program.transfers[1].bytes, 128U);
    EXPECT_THAT(program.transfers[1].after, ElementsAre(0));
    EXPECT_THAT(program.transfers[2].after, ElementsAre(1, 3));
    EXPECT_EQ(program.name, "p.csv");
}

TEST(ProgramFile, TimeMayBeLeftOutWhereAfterIsGiven) {
    const Program program = csv("source,destination,bytes,after\n0,1,8,\n1,0,8,0\n");
    EXPECT_EQ(program.ordering, Ordering::kTimed);
    EXPECT_THAT(program.transfers[1].after, ElementsAre(0));
    EXPECT_EQ(yaml("transfers: [{source: 0, destination: 1, bytes: 8, time: 3},\n"
                   "  {id: 7, source: 1, destination: 0, bytes: 8, after: 0}]")
                  .transfers[1]
                  .after,
              std::vector<MessageId>{0});
}

struct Malformed {
    const char* what;
    ProgramFormat format;
    const char* text;
    std::vector<std::string> errors;  ///< start of "where: error: what (hint)" per finding
};

void PrintTo(const Malformed& m, std::ostream* out) { *out << m.what; }

std::vector<Malformed> malformed() {
    const auto kCsv = ProgramFormat::kCsv;
    const auto kYaml = ProgramFormat::kYaml;
    return {
        {"EmptyCsv", kCsv, "", {"p: error: the program file is empty"}},
        {"OnlyComments", kCsv, "# nothing\n\n", {"p: error: the program file is empty"}},
        {"UnknownColumn",
         kCsv,
         "sorce,destination,bytes,step\n0,1,2,3\n",
         {"p:1:1: error: unknown column 'sorce' (did you mean 'source'?)",
          "p:1:1: error: column source is missing"}},
        {"DuplicateColumn",
         kCsv,
         "source,destination,bytes,step,step\n",
         {"p:1:31: error: column step occurs twice"}},
        {"StepsAndTimes",
         kCsv,
         "source,destination,bytes,step,time\n",
         {"p:1:1: error: the columns give both steps and times"}},
        {"NeitherStepsNorTimes",
         kCsv,
         "source,destination,bytes\n",
         {"p:1:1: error: neither step nor time is a column"}},
        {"SeveralBadCells",
         kCsv,
         "source,destination,bytes,step\n"
         "0,16,8,0\n"
         "x,1,-8,0\n"
         "0,1,99999999999999999999999,4294967295\n"
         "0,1,,1.5\n",
         {"p:2:3: error: destination '16' does not exist (nodes are 0 .. 15)",
          "p:3:1: error: source 'x' is not a whole number (nodes are 0 .. 15)",
          "p:3:5: error: bytes '-8' is not a whole number",
          "p:4:5: error: bytes '99999999999999999999999' is too large",
          "p:4:29: error: step '4294967295' is too large (0 .. 16777215)",
          "p:5:5: error: bytes is empty", "p:5:6: error: step '1.5' is not a whole number"}},
        {"TimesAndStepsThatWouldWrap",
         kCsv,
         "source,destination,bytes,time\n"
         "0,1,8,1000000000000000\n"
         "0,1,8,1000000000000001\n"
         "0,1,8,2305843009213693952\n"
         "0,1,8,9223372036854775808\n"
         "0,1,8,18446744073709551615\n",
         {"p:3:7: error: time '1000000000000001' is too large (0 .. 1000000000000000 cycles; "
          "decimal times take a unit: time_ns, time_us)",
          "p:4:7: error: time '2305843009213693952' is too large",
          "p:5:7: error: time '9223372036854775808' is too large",
          "p:6:7: error: time '18446744073709551615' is too large"}},
        {"StepsBeyondWhatReportsHold",
         kCsv,
         "source,destination,bytes,step\n0,1,8,16777215\n0,1,8,16777216\n",
         {"p:3:7: error: step '16777216' is too large (0 .. 16777215)"}},
        {"ABarrierThatWouldWrap",
         kYaml,
         "barrier: {fixed: 1000000000000001}\ntransfers: []\n",
         {"p:1:18: error: fixed must be a number of cycles (at most 1000000000000000)"}},
        {"WrongNumberOfValues",
         kCsv,
         "source,destination,bytes,step\n0,1,8\n0,1,8,0,\n",
         {"p:2:1: error: 3 values for 4 columns", "p:3:1: error: 5 values for 4 columns"}},
        {"SelfMessage",
         kCsv,
         "source,destination,bytes,step\n3,3,8,0\n",
         {"p:2:1: error: message 0 goes from node 3 to itself"}},
        {"DuplicateId",
         kCsv,
         "id,source,destination,bytes,step\n5,0,1,8,0\n 5,1,0,8,0\n",
         {"p:3:2: error: id 5 is taken by the message in line 2"}},
        {"DuplicateIdOutOfOrder",
         kCsv,
         "id,source,destination,bytes,step\n5,0,1,8,0\n3,1,0,8,0\n3,1,0,8,1\n5,1,0,8,1\n",
         {"p:4:1: error: id 3 is taken by the message in line 3",
          "p:5:1: error: id 5 is taken by the message in line 2"}},
        {"UnknownAfter",
         kCsv,
         "source,destination,bytes,time,after\n0,1,8,0,\n1,0,8,0,0;9\n",
         {"p:3:11: error: there is no message with id 9"}},
        {"CircularAfter",
         kCsv,
         "source,destination,bytes,time,after\n0,1,8,0,1\n1,0,8,0,0\n",
         {"p:2:1: error: messages wait for each other"}},
        {"CopyOfNothing",
         kCsv,
         "source,destination,bytes,step,copy\n0,1,8,0,1\n",
         {"p:2:1: error: message 0 is a copy of the one before it, which does not exist"}},
        {"CopyOfSomethingElse",
         kCsv,
         "source,destination,bytes,step,copy\n0,1,8,0,0\n0,2,8,1,1\n",
         {"p:3:1: error: message 1 is not a copy of message 0"}},
        {"CopyOfSomebodyElse",
         kCsv,
         "source,destination,bytes,step,copy\n0,1,8,0,0\n1,2,8,0,1\n",
         {"p:3:1: error: message 1 is not a copy of message 0"}},
        {"StreamOfNothing",
         kCsv,
         "source,destination,bytes,time,streams\n0,1,8,0,1\n",
         {"p:2:1: error: message 0 streams nothing"}},
        {"StreamOfAnotherLength",
         kCsv,
         "source,destination,bytes,time,after,streams\n0,1,8,0,,0\n1,2,9,0,0,1\n",
         {"p:3:1: error: message 1 of 9 bytes streams message 0 of 8"}},
        {"BadPortAndFlags",
         kCsv,
         "source,destination,bytes,step,port,copy\n0,1,8,0,65536,2\n",
         {"p:2:9: error: port '65536' is too large", "p:2:15: error: copy '2' is too large"}},
        {"Binary",
         kCsv,
         "\x01\x02\xff\n\x7f",
         {"p:1:1: error: unknown column '  \\xff'", "p:1:1: error: column source is missing",
          "p:1:1: error: column destination is missing", "p:1:1: error: column bytes is missing",
          "p:1:1: error: neither step nor time is a column"}},
        {"EmptyYaml", kYaml, "", {"p: error: the program file is empty"}},
        {"BrokenYaml", kYaml, "transfers: [{source: 0", {"p:1:"}},
        {"DeepYaml", kYaml, nullptr, {"p:1:"}},
        {"ScalarYaml", kYaml, "hello", {"p:1:1: error: a program must be a map, found 'hello'"}},
        {"ListYaml",
         kYaml,
         "- {source: 0, destination: 1, bytes: 8, step: 0}\n",
         {"p:1:1: error: a program must be a map, found a list (write 'transfers:' above the "
          "list)"}},
        {"NamedTwice",
         kYaml,
         "transfers: [{source: 0, src: 0, destination: 1, bytes: 8, step: 0}]\n",
         {"p:1:25: error: source occurs twice"}},
        {"UnknownYamlKeys",
         kYaml,
         "transfer: []\nbarrier: {fixd: 1, fixed: lots}\n",
         {"p:1:1: error: unknown key 'transfer' (did you mean 'transfers'?)",
          "p:2:11: error: unknown key 'fixd' (did you mean 'fixed'?)",
          "p:2:27: error: fixed must be a number of cycles", "p:1:1: error: transfers is missing"}},
        {"BadYamlTransfers",
         kYaml,
         "transfers:\n"
         "  - {source: 0, destination: 1, bytes: 8, step: 0, step: 1}\n"
         "  - {source: 0, destination: 1, byte: 8, step: 0}\n"
         "  - {source: 0, destination: [1], bytes: 8, time: 0}\n"
         "  - 7\n"
         "  - {source: 0, destination: 99, bytes: 8}\n",
         {"p:2:52: error: duplicate key 'step'",
          "p:3:33: error: unknown key 'byte' (did you mean 'bytes'?)",
          "p:3:5: error: bytes is missing", "p:4:17: error: destination must be a number",
          "p:4:5: error: this transfer has a time, those before have a step",
          "p:4:5: error: destination is missing", "p:5:5: error: a transfer must be a map",
          "p:6:5: error: the transfer has neither step nor time",
          "p:6:30: error: destination '99' does not exist"}},
        {"BarrierInATimedProgram",
         kYaml,
         "barrier: {fixed: 1}\ntransfers: [{source: 0, destination: 1, bytes: 8, time: 0}]\n",
         {"p: error: a timed program has no steps"}},
    };
}

class MalformedFile : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedFile, IsReportedWithPlaceAndRemedy) {
    const Malformed& tested = GetParam();
    const std::string text =
        tested.text == nullptr ? "transfers: " + std::string(100000, '[') : tested.text;
    try {
        parse_program(text, tested.format, "p", 16);
        FAIL() << "accepted";
    } catch (const ConfigError& error) {
        std::vector<std::string> lines;
        for (const Diagnostic& finding : error.findings()) lines.push_back(finding.str());
        ASSERT_EQ(lines.size(), tested.errors.size()) << error.what();
        for (std::size_t i = 0; i < lines.size(); ++i) {
            EXPECT_THAT(lines[i], testing::StartsWith(tested.errors[i]));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, MalformedFile, testing::ValuesIn(malformed()),
                         [](const auto& tested) { return std::string(tested.param.what); });

TEST(ProgramFile, ABrokenFileEndsAfterTwentyFindings) {
    std::string text = "source,destination,bytes,step\n";
    for (int i = 0; i < 1000; ++i) text += "0,1,x,0\n";
    try {
        csv(text);
        FAIL() << "accepted";
    } catch (const ConfigError& error) {
        EXPECT_THAT(error.findings(), SizeIs(21));
        EXPECT_THAT(error.findings().back().what, HasSubstr("too many errors"));
    }
}

TEST(ProgramFile, WhatItShowsOfATextEndsBetweenCharacters) {
    const auto what = [](const std::string& text, ProgramFormat format) -> std::string {
        try {
            parse_program(text, format, "p", 16);
        } catch (const ConfigError& error) {
            return error.findings().front().what;
        }
        return "accepted";
    };
    for (std::size_t before = 0; before < 70; ++before) {
        std::string name(before, 'x');
        for (int i = 0; i < 20; ++i) name += "\xe2\x82\xac";  // the sign of the euro
        for (const std::string& said :
             {what(name + ",destination,bytes,step\n", ProgramFormat::kCsv),
              what("source,destination,bytes,time_ns\n0,1,8," + name + "\n", ProgramFormat::kCsv),
              what("source,destination,bytes,step\n0,1," + name + ",0\n", ProgramFormat::kCsv),
              what(name + ": 1\n", ProgramFormat::kYaml)}) {
            EXPECT_TRUE(is_utf8(said)) << said;
            EXPECT_THAT(said, HasSubstr(excerpt(name)));
            EXPECT_LT(said.size(), 120U);
        }
    }
}

Config file_config(const std::string& path) {
    Config config;
    config.source = "run.yaml";
    config.traffic.program = path;
    config.locations["traffic.program"] = {"run.yaml", 4, 12};
    return config;
}

std::string error_of(const Config& config) {
    return refused_with([&] { build_program(config, build_mesh({4, 4})); });
}

TEST(ProgramFile, IsFoundByExtensionAndTakesTheBarrierOfTheConfiguration) {
    for (const char* name : {"program_test_a.csv", "program_test_a.yaml", "program_test_a.yml"}) {
        const std::string path = testing::TempDir() + name;
        Program original = gen(16, 77);
        original.barrier_cycles = 5;
        write_program(original, path);
        Config config = file_config(path);
        expect_equal(build_program(config, build_mesh({4, 4})), original);
        config.traffic.barrier = BarrierConfig{0, 9};
        EXPECT_EQ(build_program(config, build_mesh({4, 4})).barrier_cycles, Cycle{9});
        EXPECT_EQ(error_of(config), "");
        std::remove(path.c_str());
    }
}

std::string csv_error(const std::string& text, const ProgramReading& reading = {}) {
    return refused_with(
        [&] { parse_program(text, ProgramFormat::kCsv, "p.csv", 16, {}, reading); });
}

TEST(ProgramFile, FindingsNameMessagesByTheNumbersOfTheFile) {
    const std::string head = "id,source,destination,bytes,time,after\n";
    EXPECT_THAT(csv_error(head + "70,0,1,8,0,\n71,2,0,8,0,70\n"),
                HasSubstr("p.csv:3:1: error: message 71 of node 2 comes after message 70 (0->1), "
                          "which that node does not receive"));
    EXPECT_THAT(csv_error(head + "9,0,1,8,0,7\n7,1,0,8,0,9\n"),
                HasSubstr("message 9 (0->1) comes after message 7 (1->0) comes after message 9"));
    EXPECT_THAT(csv_error(head + "9,0,1,8,0,7 7\n7,1,0,8,0,\n"),
                HasSubstr("message 9 names message 7 twice"));
    EXPECT_THAT(csv_error(head + "0,0,1,8,0,\n5,3,3,8,0,\n"),
                HasSubstr("p.csv:3:1: error: message 5 goes from node 3 to itself"));
    EXPECT_THAT(csv_error("id,source,destination,bytes,time,after,streams\n"
                          "9,0,1,8,0,,0\n4,1,2,9,0,9,1\n"),
                HasSubstr("message 4 of 9 bytes streams message 9 of 8"));
    EXPECT_EQ(csv(head + "0,0,1,8,0,\n1,1,0,8,0,0\n").numbers.size(), 0U);
}

TEST(ProgramFile, TakesNamesOfNodes) {
    std::vector<std::string> names;
    for (int node = 0; node < 16; ++node) names.push_back("cpu-" + std::to_string(node));
    names.emplace_back("hub");
    ProgramReading reading;
    reading.node_names = &names;
    const std::string head = "source,destination,bytes,step\n";
    expect_equal(parse_program(head + "cpu-0,cpu-1,8,0\n3,\"cpu-15\",9,1\n", ProgramFormat::kCsv,
                               "p.csv", 16, {}, reading),
                 csv(head + "0,1,8,0\n3,15,9,1\n"));
    expect_equal(
        parse_program("transfers: [{source: cpu-0, destination: cpu-1, bytes: 8, step: 0}, "
                      "{source: 3, destination: 15, bytes: 9, step: 1}]\n",
                      ProgramFormat::kYaml, "p.yaml", 16, {}, reading),
        csv(head + "0,1,8,0\n3,15,9,1\n"));
    EXPECT_THAT(csv_error(head + "cpu0,1,8,0\nhub,1,8,0\n1,16,8,0\n1,,8,0\n", reading),
                AllOf(HasSubstr("p.csv:2:1: error: source 'cpu0' is no node (did you mean "
                                "'cpu-0'?)"),
                      HasSubstr("p.csv:3:1: error: source 'hub' is a switch (switches send and "
                                "receive nothing)"),
                      HasSubstr("p.csv:4:3: error: destination '16' does not exist (nodes are 0 .. "
                                "15)"),
                      HasSubstr("p.csv:5:3: error: destination is empty")));
}

TEST(ProgramFile, TakesTheNamesOfOtherTools) {
    const Program usual = csv("source,destination,bytes,step\n0,1,8,0\n3,2,9,1\n");
    expect_equal(csv("step,size,dst,src\n0,8,1,0\n1,9,2,3\n"), usual);
    expect_equal(yaml("transfers: [{src: 0, dst: 1, size: 8, step: 0}, "
                      "{src: 3, dst: 2, size: 9, step: 1}]\n"),
                 usual);
    EXPECT_THAT(csv_error("src,source,dst,size,step\n0,0,1,8,0\n"),
                HasSubstr("p.csv:1:5: error: column source occurs twice"));
    EXPECT_THAT(csv_error("scr,dst,size,step\n0,1,8,0\n"), HasSubstr("did you mean 'src'?"));
}

TEST(ProgramFile, TimesWithAUnitBecomeTheNearestCycle) {
    const auto times = [](const std::string& column, const std::string& rows, double clock_ns) {
        const ProgramReading reading{clock_ns, false};
        std::vector<Cycle> found;
        for (const Transfer& t : parse_program("source,destination,bytes," + column + '\n' + rows,
                                               ProgramFormat::kCsv, "p", 16, {}, reading)
                                     .transfers) {
            found.push_back(t.time);
        }
        return found;
    };
    EXPECT_THAT(times("time_ns", "0,1,8,0\n0,1,8,1.4\n0,1,8,1.5\n0,1,8,2.25e3\n", 1),
                ElementsAre(0, 1, 2, 2250));
    EXPECT_THAT(times("time_ns", "0,1,8,10\n0,1,8,12.6\n", 2.5), ElementsAre(4, 5));
    EXPECT_THAT(times("time_ps", "0,1,8,2500\n", 0.5), ElementsAre(5));
    EXPECT_THAT(times("time_us", "0,1,8,1.5\n", 0.5), ElementsAre(3000));
    EXPECT_THAT(times("time_ms", "0,1,8,0.25\n", 10), ElementsAre(25000));
    EXPECT_THAT(times("time_s", "0,1,8,0.001\n", 1), ElementsAre(1000000));
    EXPECT_THAT(times("time", "0,1,8,7\n", 10), ElementsAre(7));
    const std::string head = "source,destination,bytes,time";
    EXPECT_THAT(csv_error(head + "\n0,1,8,1.5\n"),
                HasSubstr("p.csv:2:7: error: time '1.5' is not a whole number"));
    EXPECT_THAT(csv_error(head + "\n0,1,8,1.5\n"), HasSubstr("take a unit: time_ns, time_us"));
    for (const char* bad : {"-1", "soon", "", "1.5ns", "nan"}) {
        EXPECT_THAT(csv_error(head + "_ns\n0,1,8," + bad + "\n"),
                    HasSubstr("is not a decimal number"))
            << bad;
    }
    EXPECT_THAT(csv_error(head + "_s\n0,1,8,1e9\n"), HasSubstr("time '1e9' is too large"));
    EXPECT_THAT(csv_error(head + ",time_ns\n0,1,8,1,1\n"), HasSubstr("time_ns occurs twice"));
}

TEST(ProgramFile, MessagesOfANodeToItselfAreDroppedWhereThatIsWanted) {
    const std::string text = "source,destination,bytes,step\n0,0,8,0\n0,1,8,0\n2,2,8,1\n3,1,8,1\n";
    EXPECT_THAT(csv_error(text), HasSubstr("message 0 goes from node 0 to itself (leave it out"));
    EXPECT_THAT(csv_error(text), HasSubstr("traffic.self_messages: drop"));
    const ProgramReading drops{1, true};
    const Program program = parse_program(text, ProgramFormat::kCsv, "p.csv", 16, {}, drops);
    EXPECT_EQ(program.dropped, 2U);
    ASSERT_THAT(program.transfers, SizeIs(2));
    EXPECT_EQ(program.transfers[1].source, 3U);
    EXPECT_THAT(program.numbers, ElementsAre(1, 3));  // messages keep the numbers of their rows
    const std::string head = "source,destination,bytes,time,after,copy\n";
    EXPECT_THAT(parse_program(head + "5,5,8,0,,0\n0,1,8,0,,0\n1,2,8,0,1,0\n", ProgramFormat::kCsv,
                              "p", 16, {}, drops)
                    .transfers[1]
                    .after,
                ElementsAre(0));
    EXPECT_THAT(csv_error(head + "5,5,8,0,,0\n5,1,8,0,0,0\n", drops),
                HasSubstr("p.csv:3:9: error: message 0 goes from a node to itself and is dropped"));
    EXPECT_THAT(csv_error(head + "5,5,8,0,,0\n5,1,8,0,,1\n", drops),
                HasSubstr("p.csv:3:1: error: a copy of a message that is dropped"));
    EXPECT_EQ(csv_error(head + "5,1,8,0,,0\n5,5,8,0,,1\n5,2,8,0,,1\n", drops), "");
    EXPECT_THAT(csv_error("source,destination,bytes,step\n99,99,8,0\n", drops),
                HasSubstr("source '99' does not exist"));
}

TEST(ProgramFile, ThatIsMissingSaysWhereItWasLookedFor) {
    Config config = file_config("no_such_file.csv");
    const std::string looked =
        "looked for " + (std::filesystem::current_path() / "no_such_file.csv").string();
    EXPECT_THAT(error_of(config), HasSubstr('(' + looked + ')'));
    config.locations["traffic.program"] = {"--set traffic.program=no_such_file.csv", 0, 0};
    EXPECT_THAT(
        error_of(config),
        HasSubstr(looked + "; on the command line names are relative to the current folder, "
                           "not to the configuration file"));
    EXPECT_THAT(error_of(file_config("/no/such/file.csv")), testing::Not(HasSubstr("looked for")));
}

TEST(ProgramFile, ThatCannotBeReadIsBlamedOnTheConfiguration) {
    EXPECT_THAT(error_of(file_config("no_such_file.csv")),
                HasSubstr("run.yaml:4:12: error: no such program file 'no_such_file.csv'"));
    EXPECT_THAT(error_of(file_config("program.txt")), HasSubstr("name it .csv, .yaml or .yml"));
    EXPECT_THROW(write_program(gen(4, 1), "no_such_folder/p.csv"), ConfigError);
    EXPECT_THROW(write_program(gen(4, 1), "p.txt"), ConfigError);
}

TEST(ProgramFile, WhatWouldWrapOnThisMachineIsNamedByItsRow) {
    const std::string path = testing::TempDir() + "program_test_limits.csv";
    std::ofstream(path) << "source,destination,bytes,time\n"
                           "0,1,8,18446744072\n"
                           "0,1,8,18446744073\n"
                           "1,2,72057594037927936,5\n";
    Config config = file_config(path);
    EXPECT_EQ(error_of(config), "");
    config.clock_ns = 1e6;  // 2^64 ps are 18,446,744,073.7 cycles
    EXPECT_THAT(
        error_of(config),
        HasSubstr(path + ":3:1: error: message 1 begins in cycle 18446744073, which a clock "
                         "of 1000000 ns never reaches (SystemC counts 2^64 ps"));
    EXPECT_THAT(error_of(config), testing::Not(HasSubstr(":2:1")));
    config.clock_ns = 1;
    config.node.injection_bandwidth = {999, 1000};
    EXPECT_THAT(
        error_of(config),
        HasSubstr(path + ":4:1: error: a message of 72057594037927936 bytes is too long for "
                         "node.injection_bandwidth 999/1000"));
    config.node = {};
    config.node.packet_bytes = 4096;
    EXPECT_THAT(error_of(config),
                HasSubstr(path + ":4:1: error: a message of 72057594037927936 "
                                 "bytes would be cut into 17592186044416 packets"));
    std::remove(path.c_str());
}

TEST(ProgramFile, WhatWouldWrapIsCalledByItsIdNotByItsRow) {
    const std::string path = testing::TempDir() + "program_test_ids.csv";
    std::ofstream(path) << "id,source,destination,bytes,time,after\n"
                           "70,0,1,8,5,\n"
                           "12,1,2,8,18446744073,70\n";
    Config config = file_config(path);
    config.clock_ns = 1e6;  // 2^64 ps are 18,446,744,073.7 cycles
    EXPECT_THAT(error_of(config),
                HasSubstr(path + ":3:1: error: message 12 begins in cycle 18446744073, which"));
    std::remove(path.c_str());
}

TEST(CheckLimits, CallMessagesByTheirNumbers) {
    Program program = timed_program(4, {timed_send(0, 1, 5), timed_send(1, 2, kLongTime + 1)});
    program.numbers = {70, 12};
    const auto findings = check_limits(program, {}, [](MessageId) { return Location(); });
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings.front().what,
              "time " + std::to_string(kLongTime + 1) + " of message 12 is too large");
}

TEST(ProgramFile, ATimedProgramTakesNoBarrier) {
    const std::string path = testing::TempDir() + "program_test_timed.csv";
    std::ofstream(path) << "source,destination,bytes,time\n0,1,8,0\n";
    Config config = file_config(path);
    EXPECT_EQ(error_of(config), "");
    config.traffic.barrier = BarrierConfig{};
    EXPECT_THAT(error_of(config), HasSubstr("no steps to put barriers between"));
    std::remove(path.c_str());
}

}  // namespace
}  // namespace flitscope
