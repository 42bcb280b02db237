// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the time of accesses goes: sums, causes by hand, and the same on both engines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "flitscope/interconnect.h"
#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/tlm/tlm_platform.h"

namespace flitscope {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

constexpr std::uint64_t kBase = 0x1000;

Config platform_with(const std::vector<std::string>& overrides) {
    return parse_config(
        "fabric: {topology: {kind: mesh, dims: [4, 4]}}\n"
        "interconnect:\n"
        "  initiators: [0, 4, 6]\n"
        "  targets: [{node: 5, base: 0x1000, size: 0x1000}, {node: 10, base: 0x2000, size: "
        "0x1000}]\n",
        "platform.yaml", overrides);
}

/// A platform whose accesses are explained.
struct ExplainedPlatform {
    ExplainedPlatform(const Config& config, const std::string& engine)
        : interconnect("net", config,
                       fabric_with(options(engine),
                                   [this](const ExplainedAccess& a) { explained.push_back(a); })) {
        for (std::size_t i = 0; i < interconnect.from_initiator.size(); ++i) {
            initiators.push_back(std::make_unique<Initiator>(("cpu" + std::to_string(i)).c_str()));
            initiators.back()->socket.bind(interconnect.from_initiator[i]);
        }
        for (std::size_t i = 0; i < interconnect.to_target.size(); ++i) {
            memories.push_back(
                std::make_unique<Memory>(("memory" + std::to_string(i)).c_str(), 0x1000));
            interconnect.to_target[i].bind(memories.back()->socket);
        }
    }
    static NetworkOptions options(const std::string& engine) {
        NetworkOptions made;
        made.engine = engine;
        return made;
    }

    const FreshKernel kernel;
    std::vector<ExplainedAccess> explained;
    Interconnect interconnect;
    std::vector<std::unique_ptr<Initiator>> initiators;
    std::vector<std::unique_ptr<Memory>> memories;
    PayloadPool pool;
};

std::string text_of(const ExplainedAccess& access) {
    std::ostringstream text;
    text << access;
    return text.str();
}

TEST(ExplainedAccess, SaysWhereTheTimeOfALoneReadWent) {
    for (const std::string engine : {"cycle", "tlm"}) {
        ExplainedPlatform p(platform_with({}), engine);
        p.memories[0]->latency = [] { return ns(3); };
        p.initiators[0]->script = [&] {
            sc_core::wait(ns(99.25));
            p.initiators[0]->transport(p.pool.get(TLM_READ_COMMAND, kBase + 64, 16));
        };
        sc_core::sc_start();
        p.interconnect.fabric().finish();
        ASSERT_EQ(p.explained.size(), 1U) << engine;
        // The request of 2 flits crosses 2 links in 100 to 106, the response of 4 in 111 to 119.
        EXPECT_EQ(
            text_of(p.explained[0]),
            "99250 ps: read of 16 bytes at 0x1040, net.from_initiator_0 to net.to_target_0: "
            "20.75 cycles\n"
            "  request   0 > 5          7.75 cycles: clock 0.75, traversal 5, serialization 1, "
            "receive 1\n"
            "  target                      3 cycles: target 3\n"
            "  response  5 > 0            10 cycles: clock 1, traversal 5, serialization 3, "
            "receive 1\n");
    }
}

TEST(ExplainedAccess, IsShownOnThePage) {
    std::ifstream file(FLITSCOPE_PAGE);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    for (const std::string engine : {"cycle", "tlm"}) {
        ExplainedPlatform p(platform_with({}), engine);
        p.memories[0]->latency = [] { return ns(20); };
        for (const std::size_t i : {0, 1, 2}) {
            p.initiators[i]->script = [&, i] {
                if (i == 0) sc_core::wait(ns(30.25));
                Payload& payload = i == 0 ? p.pool.get(TLM_READ_COMMAND, kBase + 64, 16)
                                          : p.pool.get(TLM_WRITE_COMMAND, kBase, 256);
                p.initiators[i]->transport(payload);
            };
        }
        sc_core::sc_start();
        ASSERT_EQ(p.explained.size(), 3U) << engine;
        std::istringstream lines(text_of(p.explained[2]));
        for (std::string line; std::getline(lines, line);) {
            EXPECT_THAT(page, HasSubstr("\n    " + line + '\n')) << engine;
        }
    }
}

TEST(ExplainedAccess, NamesWhatAnAccessWaitedForAndWhere) {
    for (const std::string engine : {"cycle", "tlm"}) {
        ExplainedPlatform p(platform_with({"interconnect.outstanding=1"}), engine);
        p.memories[0]->latency = [] { return ns(20); };
        for (const std::size_t i : {0, 1}) {
            p.initiators[i]->script = [&, i] {
                for (int n = 0; n < (i == 0 ? 2 : 1); ++n) {
                    p.initiators[i]->issue(p.pool.get(TLM_WRITE_COMMAND, kBase, 256));
                }
            };
        }
        sc_core::sc_start();
        p.interconnect.fabric().finish();
        ASSERT_EQ(p.explained.size(), 3U) << engine;
        // The nearer one is first. The other one waits for the ejection channel at node 5, held by
        // 34 flits, and then for the memory.
        const std::string second = text_of(p.explained[1]);
        EXPECT_THAT(second, HasSubstr("net.from_initiator_0 to net.to_target_0"));
        EXPECT_THAT(second, HasSubstr("vc_busy 32 (eject_005)"));
        const std::string third = text_of(p.explained[2]);
        EXPECT_THAT(third, HasSubstr("outstanding "));
    }
}

/// Random accesses of all initiators, two of three non-blocking.
void play_at_random(ExplainedPlatform& p, unsigned int accesses) {
    for (std::size_t i = 0; i < p.initiators.size(); ++i) {
        p.initiators[i]->think_time = ns(5 + 4 * static_cast<double>(i));
        p.initiators[i]->script = [&p, i, accesses] {
            std::mt19937 random(static_cast<unsigned int>(i) + 1);
            std::vector<Payload*> open;
            for (unsigned int n = 0; n < accesses; ++n) {
                const auto command = random() % 2 == 0 ? TLM_READ_COMMAND : TLM_WRITE_COMMAND;
                const std::uint64_t address = kBase * (1 + random() % 2) + random() % 512;
                Payload& payload = p.pool.get(command, address, 1 + random() % 100);
                if (random() % 3 == 0) {
                    p.initiators[i]->transport(payload);
                } else {
                    p.initiators[i]->issue(payload, ns(static_cast<double>(random() % 8) / 4));
                    open.push_back(&payload);
                }
                if (random() % 4 == 0) sc_core::wait(ns(static_cast<double>(random() % 90)));
                if (open.size() < 6) continue;
                p.initiators[i]->await(*open.front());
                open.erase(open.begin());
            }
        };
    }
    for (std::size_t i = 0; i < p.memories.size(); ++i) {
        const auto random = std::make_shared<std::mt19937>(static_cast<unsigned int>(i));
        p.memories[i]->latency = [random] {
            return ns(0.137 + static_cast<double>((*random)() % 40) / 4);
        };
        p.memories[i]->accept_time = ns(9.371);
    }
}

std::vector<std::string> sorted_texts(const std::vector<ExplainedAccess>& explained) {
    std::vector<std::string> texts;
    for (const ExplainedAccess& access : explained) texts.push_back(text_of(access));
    std::sort(texts.begin(), texts.end());
    return texts;
}

TEST(ExplainedAccess, PartsAddUpAndAreThoseOfEveryEngine) {
    constexpr unsigned int kAccesses = 400;
    for (const std::vector<std::string>& overrides :
         {std::vector<std::string>{},
          {"fabric.buffer_depth=2", "node.packet_bytes=16", "interconnect.outstanding=2"},
          {"fabric.virtual_channels=2", "fabric.switch_arbitration=per_packet", "clock_ns=0.7",
           "node.send_overhead=2", "node.recv_overhead=3"}}) {
        SCOPED_TRACE(testing::PrintToString(overrides));
        std::vector<std::string> of_cycle;
        for (const std::string engine : {"cycle", "tlm"}) {
            ExplainedPlatform p(platform_with(overrides), engine);
            play_at_random(p, kAccesses);
            sc_core::sc_start();
            p.interconnect.fabric().finish();
            ASSERT_EQ(p.explained.size(), 3 * kAccesses) << engine;
            std::map<std::string, unsigned int> causes;
            for (const ExplainedAccess& access : p.explained) {
                sc_core::sc_time sum;
                for (const AccessPart& part : access.parts) {
                    sum += part.time;
                    ++causes[part.cause];
                }
                ASSERT_EQ(sum, access.latency()) << text_of(access);
            }
            for (const char* cause : {"outstanding", "clock", "target_queue", "target", "traversal",
                                      "serialization", "initiator_queue", "receive"}) {
                EXPECT_GT(causes[cause], 20U) << cause;
            }
            EXPECT_GT(causes["vc_busy"] + causes["head_of_line"] + causes["credit_stall"], 100U);
            if (engine == "cycle") {
                of_cycle = sorted_texts(p.explained);
            } else {
                EXPECT_TRUE(sorted_texts(p.explained) == of_cycle);
            }
        }
    }
}

TEST(ExplainedAccess, ComesWithClassesToo) {
    ExplainedPlatform p(
        platform_with({"fabric.virtual_channels=2", "fabric.classes=[request, response]",
                       "interconnect.response_class=response"}),
        "cycle");
    play_at_random(p, 200);
    sc_core::sc_start();
    p.interconnect.fabric().finish();
    EXPECT_EQ(p.explained.size(), 600U);
}

TEST(ExplainedAccess, OfAThreadThatIsKilledIsNotReported) {
    for (const std::string engine : {"cycle", "tlm"}) {
        ExplainedPlatform p(platform_with({}), engine);
        p.initiators[0]->script = [&] {
            for (const double after : {4.0, 8.5, 13.0}) {
                const sc_core::sc_time begin = sc_core::sc_time_stamp();
                sc_core::sc_process_handle thread = sc_core::sc_spawn(
                    [&] { p.initiators[0]->transport(p.pool.get(TLM_READ_COMMAND, kBase, 4)); });
                sc_core::wait(begin + ns(after) - sc_core::sc_time_stamp());
                thread.kill();
                sc_core::wait(ns(60));
            }
            p.initiators[0]->transport(p.pool.get(TLM_WRITE_COMMAND, kBase, 4));
        };
        sc_core::sc_start();
        p.interconnect.fabric().finish();
        ASSERT_EQ(p.explained.size(), 1U) << engine;
        EXPECT_STREQ(p.explained[0].command_name(), "write");
    }
}

TEST(ExplainedAccess, ComesWithTheAccessAndAlsoAfterFinish) {
    for (const std::string engine : {"cycle", "tlm"}) {
        ExplainedPlatform p(platform_with({}), engine);
        p.initiators[0]->script = [&] {
            for (int i = 0; i < 2; ++i) {
                p.initiators[0]->transport(p.pool.get(TLM_READ_COMMAND, kBase, 16));
                sc_core::wait(ns(200));
            }
        };
        sc_core::sc_start(ns(18));
        EXPECT_EQ(p.explained.size(), 0U) << engine;
        sc_core::sc_start(ns(1));  // the response is there at 18
        EXPECT_EQ(p.explained.size(), 1U) << engine;
        p.interconnect.fabric().finish();
        sc_core::sc_start();
        EXPECT_EQ(p.explained.size(), 2U) << engine;
    }
}

TEST(ExplainedAccess, IsPrintedInCyclesThatAddUp) {
    ExplainedAccess access;
    auto names = std::make_shared<AccessNames>();
    names->initiators = {"cpu"};
    names->targets = {"memory"};
    access.names = names;
    access.period = ns(1);
    access.ended = ns(1'234'582.75);
    access.parts = {{AccessPart::Stage::kRequest, "clock", {}, ns(7.75)},
                    {AccessPart::Stage::kTarget, "target", {}, ns(1'234'575)}};
    EXPECT_THAT(text_of(access), AllOf(HasSubstr("cpu to memory: 1234582.75 cycles\n"),
                                       HasSubstr("7.75 cycles: clock 7.75\n"),
                                       HasSubstr(" 1234575 cycles: target 1234575\n")));
}

TEST(ExplainedAccess, IsRefusedWhereThereIsNone) {
    const auto error_of = [](const std::vector<std::string>& overrides) -> std::string {
        return refused_with(
            [&] { const ExplainedPlatform platform(platform_with(overrides), "cycle"); });
    };
    EXPECT_EQ(error_of({}), "");
    EXPECT_THAT(error_of({"interconnect.timing=annotated"}),
                HasSubstr("annotated timing has no messages"));
    EXPECT_THAT(error_of({"fabric.switching=circuit", "fabric.routing=dimension_order"}),
                HasSubstr("messages on circuits have no packets"));
}

}  // namespace
}  // namespace flitscope
