// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Traces as a whole: algorithms for their collectives, and whether sends and receives fit together.
#include "traffic/traces/trace.h"
#include "models/config/config.h"
#include "models/topology/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/topology/families/topologies.h"
#include "testbench/verification/tests/traffic/small_traces.h"
#include "traffic/schedules/schedule_factory.h"

namespace flitscope {
namespace {

using testing::HasSubstr;

// --- Algorithms of collectives -------------------------------------------------------------------

/// The findings of a configuration with this list.
std::string refusal_of_algorithms(const std::string& list, const std::string& format = "chakra") {
    const std::string text =
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "traffic: {trace: {file: t, format: " +
        format + ", algorithms: " + list + "}}\n";
    return refusal([&] { parse_config(text, "c.yaml"); });
}

TEST(CollectiveAlgorithms, AreThoseOfSchedulesThatCollectivesBecome) {
    EXPECT_EQ(refusal_of_algorithms("[allreduce/ring, scatter/binomial, reduce-scatter/ring]"),
              "not refused");
    EXPECT_EQ(refusal_of_algorithms("[]", "goal"), "not refused");
    const std::string is_none = " names no algorithm of a schedule that collectives become ";
    const auto refused = [&](const std::string& entry, const std::string& remedy) {
        EXPECT_EQ(refusal_of_algorithms('[' + entry + ']'),
                  "c.yaml:2:56: error: '" + entry + '\'' + is_none + '(' + remedy + ")\n");
    };
    refused("allreduce/rnig",
            "did you mean 'ring'? choices: recursive_doubling, rabenseifner, ring, "
            "reduce_broadcast");
    refused("all-reduce/ring",
            "did you mean 'allreduce'? schedules: allreduce, reduce, allgather, scatter, "
            "broadcast, gen, reduce-scatter");
    refused("naive/from_zero",
            "schedules: allreduce, reduce, allgather, scatter, broadcast, gen, reduce-scatter");
    refused("gen/ring", "leave it out: this schedule has no variants");
    for (const char* const half : {"ring", "allreduce"}) {
        refused(half, "write schedule/algorithm, such as allreduce/ring (flitscope list)");
    }
    refused("allreduce/", "choices: recursive_doubling, rabenseifner, ring, reduce_broadcast");
}

TEST(CollectiveAlgorithms, AreOneForASchedule) {
    EXPECT_EQ(refusal_of_algorithms("[allreduce/ring, allgather/ring, allreduce/rabenseifner]"),
              "c.yaml:2:56: error: 'allreduce/ring' and 'allreduce/rabenseifner' both choose the "
              "algorithm of schedule 'allreduce' (leave one of them out, or say up to how many "
              "bytes the first one holds: allreduce/ring up to 65536)\n");
    EXPECT_THAT(refusal_of_algorithms("[allreduce/ring, allreduce/ring]"),
                HasSubstr("'allreduce/ring' and 'allreduce/ring' both choose"));
}

TEST(CollectiveAlgorithms, AreOfTracesThatHaveCollectives) {
    for (const std::string format : {"goal", "csv"}) {
        EXPECT_THAT(refusal_of_algorithms("[allreduce/ring]", format),
                    HasSubstr("error: a trace of format '" + format +
                              "' has no collectives that could have algorithms (leave algorithms "
                              "out; traces of format 'chakra' have collectives)\n"));
    }
}

TEST(CollectiveAlgorithms, OfAConfigurationMadeInCodeAreCheckedToo) {
    Config made = trace_config();
    made.traffic.trace.algorithms = {"allreduce/ring"};
    EXPECT_THAT(refusal([&] {
                    build_program(made, build_mesh({4, 4}));
                }),
                HasSubstr("format 'goal' has no collectives"));
}

// --- Sends and receives --------------------------------------------------------------------------

TEST(TraceCheck, EveryMessageIsReceivedOnce) {
    const auto two = [](const std::string& zero, const std::string& one) {
        return goal_refusal("num_ranks 3\nrank 0 {\n" + zero + "\n}\nrank 1 {\n" + one + "\n}\n");
    };
    EXPECT_THAT(two("send 5b to 1", "recv 5b from 0"), HasSubstr("not refused"));
    EXPECT_THAT(two("send 5b to 1", "recv 9b from 0"), HasSubstr("not refused"));
    EXPECT_THAT(two("send 5b to 1", "recv 4b from 0"),
                HasSubstr("t.goal:6: error: rank 1 receives 4 bytes of a message of 5 bytes"));
    EXPECT_THAT(two("send 5b to 1", "calc 1"),
                HasSubstr("t.goal:3: error: rank 1 never receives this message from rank 0"));
    EXPECT_THAT(two("send 5b to 1 tag 2", "recv 5b from 0 tag 3"),
                HasSubstr("rank 1 waits for a message from rank 0, tag 3, which is never sent"));
    EXPECT_THAT(two("send 5b to 1 tag 2", "recv 5b from -1 tag 2"), HasSubstr("not refused"));
    EXPECT_THAT(two("send 5b to 1 tag 2", "recv 5b from -1\nrecv 5b from 0 tag -1"),
                HasSubstr("rank 1 receives 2 messages, and 1 are sent to it"));
}

TEST(TraceBalance, IsEvenWhereBothEndsOfEveryMessageAreAlike) {
    const auto even = [](const std::string& sends, const std::string& receives) {
        return is_even(goal("num_ranks 3\nrank 0 {\n" + sends + "\ncalc 7\n}\nrank 1 {\n" +
                            receives + "\n}\n"));
    };
    EXPECT_TRUE(even("", ""));
    EXPECT_TRUE(even("send 5b to 1 tag 4", "recv 5b from 0 tag 4"));
    EXPECT_TRUE(even("send 5b to 1 tag 4\nsend 6b to 1 tag 3",
                     "recv 6b from 0 tag 3\nrecv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", ""));
    EXPECT_FALSE(even("", "recv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 5b from 0 tag 3"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 5b from 2 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 4b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 6b from 0 tag 4"));  // which check_trace() takes
    EXPECT_FALSE(even("send 5b to 2 tag 4", "recv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 1 tag 4\nsend 6b to 1 tag 3",
                      "recv 5b from 0 tag 3\nrecv 6b from 0 tag 4"));
    // Whoever takes any message is sent as many as it takes.
    EXPECT_TRUE(even("send 5b to 1 tag 4", "recv 8b from -1 tag 4"));
    EXPECT_TRUE(even("send 5b to 1 tag 4", "recv 8b from 0 tag -1"));
    EXPECT_FALSE(even("send 5b to 1 tag 4", "recv 8b from -1 tag 4\nrecv 8b from -1"));
    // Peers that there are not.
    EXPECT_FALSE(even("send 5b to 3 tag 4", "recv 5b from 0 tag 4"));
    EXPECT_FALSE(even("send 5b to 0 tag 4", "recv 5b from 0 tag 4"));
}

}  // namespace
}  // namespace flitscope
