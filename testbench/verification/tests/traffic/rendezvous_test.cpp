// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Rendezvous: which messages of a trace ask before they are sent, and how their ends change.
#include "traffic/traces/rendezvous.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "models/topology/families/topologies.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/verification/tests/support/trace_texts.h"
#include "traffic/traces/trace_program.h"

namespace flitscope {
namespace {

constexpr std::uint64_t kEagerBytes = 1000;

/// A trace of two ranks: the sends of rank 0, the receives of rank 1, a line each.
std::string pair(const std::string& sends, const std::string& receives) {
    return "num_ranks 2\nrank 0 {\n" + sends + "\n}\nrank 1 {\n" + receives + "\n}\n";
}

/// The operations of both ranks with rendezvous: "send 0, receive 0, send 1500 | ...".
std::string rewritten(const std::string& text, bool acknowledged = false) {
    Trace trace = goal(text);
    check_trace(trace);
    make_rendezvous(trace, kEagerBytes, acknowledged);
    check_trace(trace);  // both ends of a message are of one kind
    std::string all;
    for (const RankTrace& rank : trace.ranks) {
        if (&rank != &trace.ranks.front()) all += " | ";
        for (const TraceOperation& of : rank.operations) {
            if (&of != &rank.operations.front()) all += ", ";
            const bool sends = of.kind == Operation::Kind::kSend;
            all += fmt::format("{} {}", sends ? "send" : "receive", of.amount);
        }
    }
    return all;
}

/// With this text as the file of the trace.
Program program(const std::string& text) {
    const std::string file = testing::TempDir() + "rendezvous.goal";
    std::ofstream(file) << text;
    const Config config =
        parse_config(fmt::format("fabric: {{topology: {{kind: mesh, dims: [4, 4]}}}}\n"
                                 "traffic: {{trace: {{file: {}, eager_bytes: {}}}}}\n",
                                 file, kEagerBytes),
                     "c.yaml");
    return application_program(config, build_topology(config), {});
}

TEST(Rendezvous, TheSizeOfTheSendDecides) {
    const auto sent = [](int bytes) {
        return rewritten(pair(fmt::format("send {}b to 1", bytes), "recv 2000b from 0"));
    };
    EXPECT_EQ(sent(500), "send 500 | receive 500");
    EXPECT_EQ(sent(1000), "send 1000 | receive 1000");
    EXPECT_EQ(sent(1001), "send 0, receive 0, send 1001 | receive 0, send 0, receive 1001");
    EXPECT_EQ(sent(2000), "send 0, receive 0, send 2000 | receive 0, send 0, receive 2000");
}

TEST(Rendezvous, MessagesOfOneEnvelopeAreMatchedInOrder) {
    const std::string receives = "recv 2000b from 0\nrecv 2000b from 0 tag 3\nrecv 2000b from 0";
    const auto sent = [&](const std::string& sends) { return rewritten(pair(sends, receives)); };
    EXPECT_EQ(sent("send 500b to 1\nsend 600b to 1 tag 3\nsend 1500b to 1"),
              "send 500, send 600, send 0, receive 0, send 1500 | "
              "receive 500, receive 600, receive 0, send 0, receive 1500");
    EXPECT_EQ(sent("send 1500b to 1\nsend 500b to 1\nsend 600b to 1 tag 3"),
              "send 0, receive 0, send 1500, send 500, send 600 | "
              "receive 0, send 0, receive 1500, receive 600, receive 500");
}

TEST(Rendezvous, MessagesThatDoNotFitInOrderAreMatchedBySize) {
    const std::string sends = "send 1500b to 1\nsend 500b to 1";
    EXPECT_EQ(rewritten(pair(sends, "recv 600b from 0\nrecv 2000b from 0")),
              "send 0, receive 0, send 1500, send 500 | "
              "receive 500, receive 0, send 0, receive 1500");
}

TEST(Rendezvous, AcknowledgedMessagesGoAtOnce) {
    const auto sent = [](int bytes) {
        return rewritten(pair(fmt::format("send {}b to 1", bytes), "recv 2000b from 0"), true);
    };
    EXPECT_EQ(sent(1000), "send 1000 | receive 1000");
    EXPECT_EQ(sent(1001), "send 1001, receive 0 | receive 1001, send 0");
}

/// "a<b": b waits for the end of a, "a<<b" for its begin; in the order of b.
std::string dependencies(const RankTrace& rank) {
    std::vector<std::string> all;
    for (const OperationDependency& d : rank.dependencies) {
        all.push_back(fmt::format("{}{}{}", d.on, d.on_begin ? "<<" : "<", d.operation));
    }
    std::sort(all.begin(), all.end());
    return fmt::format("{}", fmt::join(all, " "));
}

/// What waits for a send waits for the answer, and what waits for a receive only for the data.
TEST(Rendezvous, AcknowledgedSendsCompleteWithTheAnswer) {
    const std::string after = "\nb: calc 5\nb requires a\nc: calc 5\nc irequires a";
    Trace trace = goal(pair("a: send 1500b to 1" + after, "a: recv 1500b from 0" + after));
    make_rendezvous(trace, kEagerBytes, true);
    // 0: the data, 1: the answer, 2 and 3: the computations.
    EXPECT_EQ(dependencies(trace.ranks[0]), "0<<1 0<<3 1<2");
    EXPECT_EQ(dependencies(trace.ranks[1]), "0<1 0<2 0<<3");
    trace = goal(pair("a: send 1500b to 1" + after, "a: recv 1500b from 0" + after));
    make_rendezvous(trace, kEagerBytes);
    // 0: the announcement, 1: the answer, 2: the data.
    EXPECT_EQ(dependencies(trace.ranks[0]), "0<<1 0<<4 1<2 2<3");
    EXPECT_EQ(dependencies(trace.ranks[1]), "0<1 0<<4 1<<2 2<3");
}

/// Traces whose ends are all alike are read rank by rank, others as a whole.
TEST(Rendezvous, LongerReceivesMakeNoOtherProgram) {
    const std::string sends = "a: send 500b to 1\nb: send 1500b to 1\nb requires a";
    const auto received = [&](int first, int second) {
        return text_of(program(pair(sends, fmt::format("a: recv {}b from 0\nb: recv {}b from 0\n"
                                                       "b requires a",
                                                       first, second))));
    };
    const std::string alike = received(500, 1500);
    EXPECT_EQ(received(2000, 1500), alike);
    EXPECT_EQ(received(500, 2000), alike);
    EXPECT_EQ(received(3000, 2000), alike);
}

TEST(Rendezvous, EndsThatAreAlikeInAnotherOrderMakeTheSameProgramBothWays) {
    const std::string text =
        pair("send 1500b to 1\nsend 500b to 1", "recv 500b from 0\nrecv 1500b from 0");
    ASSERT_TRUE(is_even(goal(text)));
    Trace whole = goal(text);
    make_rendezvous(whole, kEagerBytes);
    const Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\ntraffic: {trace: {file: t.goal}}\n",
        "c.yaml");
    EXPECT_EQ(text_of(program(text)), text_of(trace_program(whole, config, 16)));
}

TEST(Rendezvous, ReceivesThatAreTooShortAreNamedAsTheUserWroteThem) {
    const auto refused = [](const std::string& sent, const std::string& received) {
        return refusal([&] {
            program(pair("send " + sent + "b to 1 tag 7", "recv " + received + "b from 0 tag 7"));
        });
    };
    const auto says = [](const std::string& sent, const std::string& received) {
        return testing::EndsWith("/rendezvous.goal:6: error: rank 1 receives " + received +
                                 " bytes of a message of " + sent +
                                 " bytes from rank 0, tag 7 (a receive is at least as long as "
                                 "what is sent)\n");
    };
    EXPECT_THAT(refused("500", "400"), says("500", "400"));
    EXPECT_THAT(refused("1500", "900"), says("1500", "900"));
    EXPECT_THAT(refused("1500", "1200"), says("1500", "1200"));
}

TEST(Rendezvous, NamesEveryReceiveThatLeavesOpenWhatItTakes) {
    const std::string text =
        "num_ranks 2\nrank 0 {\nrecv 5b from -1\ncalc 3\nrecv 5b from 1 tag -1\n}\n"
        "rank 1 {\nsend 5b to 0\na: send 5b to 0 tag 1\nrecv 900b from -1\n}\n";
    EXPECT_EQ(refusal([&] {
                  Trace trace = goal(text);
                  make_rendezvous(trace, 100);
              }),
              "t.goal:3: error: a receive of any source or tag, which rendezvous does not allow "
              "(name both, or "
              "leave traffic.trace.eager_bytes out)\n"
              "t.goal:5: error: a receive of any source or tag, which rendezvous does not allow "
              "(name both, or "
              "leave traffic.trace.eager_bytes out)\n"
              "t.goal:10: error: a receive of any source or tag, which rendezvous does not allow "
              "(name both, or "
              "leave traffic.trace.eager_bytes out)\n");
}

}  // namespace
}  // namespace flitscope
