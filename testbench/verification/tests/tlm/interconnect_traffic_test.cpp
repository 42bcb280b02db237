// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Random traffic of several initiators over each engine: by the rules, with the right data, and in
// the same times.
#include "testbench/verification/tests/support/refused_with.h"
#include "testbench/verification/tests/tlm/interconnect_platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace flitscope {
namespace {

using ::testing::HasSubstr;
using tlm::TLM_OK_RESPONSE;
using tlm::TLM_READ_COMMAND;
using tlm::TLM_WRITE_COMMAND;

/// The actions of one initiator, drawn at random; it uses only its own addresses.
class RandomUser {
public:
    static constexpr unsigned int kSlots = 8;
    static constexpr unsigned int kSlotBytes = 64;

    RandomUser(Platform& platform, PayloadPool& pool, std::size_t index, unsigned int transactions)
        : platform_(platform),
          pool_(pool),
          index_(index),
          transactions_(transactions),
          random_(index + 1),
          replies_(index + 100) {
        Initiator& me = initiator();
        me.script = [this] { play(); };
        me.reply = [this] { return static_cast<Reply>(replies_() % 3); };
        me.think_time = ns(static_cast<double>(index_));
    }

    std::vector<sc_core::sc_time> times;
    unsigned int reads_checked = 0;

private:
    struct Access {
        std::size_t target;
        unsigned int slot;
        std::vector<unsigned char> expected;
    };

    Initiator& initiator() { return *platform_.initiators[index_]; }

    void play() {
        tlm_utils::tlm_quantumkeeper keeper;
        keeper.reset();
        for (unsigned int n = 0; n < transactions_; ++n) {
            if (random_() % 2 == 0) {
                block(keeper);
            } else {
                keeper.sync();
                issue();
            }
            while (open_.size() >= 5) finish_one();
        }
        keeper.sync();
        while (!open_.empty()) finish_one();
    }

    std::pair<Payload*, Access> draw() {
        const auto& targets = platform_.memories;
        Access access;
        do {
            access.target = random_() % targets.size();
            access.slot = random_() % kSlots;
        } while (in_use(access));
        const auto length = static_cast<unsigned int>(1 + random_() % kSlotBytes);
        const std::uint64_t offset = (index_ * kSlots + access.slot) * kSlotBytes;
        const bool write = random_() % 2 == 0;
        Payload& payload = pool_.get(write ? TLM_WRITE_COMMAND : TLM_READ_COMMAND,
                                     0x10000 * (access.target + 1) + offset, length);
        std::vector<unsigned char>& slot = contents_[{access.target, access.slot}];
        slot.resize(kSlotBytes);
        for (unsigned int i = 0; write && i < length; ++i) {
            payload.get_data_ptr()[i] = slot[i] = static_cast<unsigned char>(random_());
        }
        access.expected.assign(slot.begin(), slot.begin() + length);
        return {&payload, access};
    }

    bool in_use(const Access& access) const {
        return std::any_of(open_.begin(), open_.end(), [&](const auto& entry) {
            return entry.second.target == access.target && entry.second.slot == access.slot;
        });
    }

    void block(tlm_utils::tlm_quantumkeeper& keeper) {
        const auto [payload, access] = draw();
        keeper.inc(ns(static_cast<double>(random_() % 70) / 10));
        sc_core::sc_time local = keeper.get_local_time();
        initiator().socket->b_transport(*payload, local);
        keeper.set(local);
        if (keeper.need_sync()) keeper.sync();
        check(*payload, access);
    }

    void issue() {
        const auto [payload, access] = draw();
        open_.emplace_back(payload, access);
        initiator().issue(*payload, ns(static_cast<double>(random_() % 30) / 10));
    }

    /// The oldest one: which of several responses of one time is seen first must not show.
    void finish_one() {
        const auto [payload, access] = open_.front();
        open_.erase(open_.begin());
        times.push_back(initiator().await(*payload));
        check(*payload, access);
    }

    void check(Payload& payload, const Access& access) {
        times.push_back(sc_core::sc_time_stamp());
        EXPECT_EQ(payload.get_response_status(), TLM_OK_RESPONSE);
        if (payload.is_read()) {
            ++reads_checked;
            EXPECT_TRUE(
                std::equal(access.expected.begin(), access.expected.end(), payload.get_data_ptr()));
        }
        payload.release();
    }

    Platform& platform_;
    PayloadPool& pool_;
    std::size_t index_;
    unsigned int transactions_;
    std::mt19937 random_;
    std::mt19937 replies_;
    std::vector<std::pair<Payload*, Access>> open_;
    std::map<std::pair<std::size_t, unsigned int>, std::vector<unsigned char>> contents_;
};

/// Two initiators and two targets share nodes, and an initiator shares its node with a target.
const std::vector<std::string> kCrowd = {
    "interconnect={initiators: [0, 15, 15, 5], targets: [{node: 5, base: 0x10000, size: 0x800}, "
    "{node: 10, base: 0x20000, size: 0x800}, {node: 10, base: 0x30000, size: 0x800}]}"};
constexpr unsigned int kTransactions = 2000;  // transactions of each initiator

std::vector<sc_core::sc_time> run_crowd(const FabricMaker& make,
                                        const std::vector<std::string>& overrides,
                                        double slice_ns = 0) {
    std::vector<std::string> all = kCrowd;
    all.insert(all.end(), overrides.begin(), overrides.end());
    SCOPED_TRACE(testing::PrintToString(overrides));
    const FreshKernel kernel;
    PayloadPool pool;
    Platform platform(config_with(all), make);
    std::vector<std::mt19937> random;
    for (unsigned int i = 0; i < platform.memories.size(); ++i) random.emplace_back(i);
    for (std::size_t i = 0; i < platform.memories.size(); ++i) {
        Memory& memory = *platform.memories[i];
        // Never a whole number of cycles: if an old response ended as a new request came, the
        // memory's action would depend on which it sees first.
        memory.answer = [&r = random[i]] { return static_cast<Answer>(r() % 5); };
        memory.latency = [&r = random[i]] { return ns(0.137 + static_cast<double>(r() % 40) / 4); };
        memory.accept_time = ns(1.371);
    }
    std::vector<std::unique_ptr<RandomUser>> users;
    for (std::size_t i = 0; i < platform.initiators.size(); ++i) {
        users.push_back(std::make_unique<RandomUser>(platform, pool, i, kTransactions));
    }
    platform.run(ns(slice_ns));
    std::vector<sc_core::sc_time> times;
    for (const auto& user : users) {
        EXPECT_GT(user->reads_checked, kTransactions / 3);
        times.insert(times.end(), user->times.begin(), user->times.end());
    }
    std::uint64_t ended = 0;
    for (const auto& checker : platform.checkers) ended += checker->ended();
    EXPECT_EQ(ended, 2U * 4U * kTransactions);  // seen on both sides
    EXPECT_EQ(pool.made(), 4U * kTransactions);
    EXPECT_EQ(pool.freed(), pool.made());
    return times;
}

TEST_P(InterconnectTest, CarriesRandomTrafficByTheRules) {
    run_crowd(GetParam().make, {});
    run_crowd(GetParam().make,
              {"fabric.virtual_channels=3", "fabric.switch_arbitration=per_packet",
               "fabric.buffer_depth=2", "node.packet_bytes=16", "interconnect.outstanding=2"});
    run_crowd(GetParam().make,
              {"clock_ns=0.7", "node.injection_bandwidth=1/2", "node.send_overhead=2",
               "node.recv_overhead=1", "interconnect.outstanding=1"});
}

INSTANTIATE_TEST_SUITE_P(Engines, InterconnectTest, testing::ValuesIn(engines()), engine_name);

TEST(InterconnectEngines, GiveTheSameTimes) {
    for (const std::vector<std::string>& overrides :
         {std::vector<std::string>{},
          {"interconnect.outstanding=1", "fabric.buffer_depth=1"},
          {"fabric.virtual_channels=2", "fabric.switch_arbitration=per_packet"}}) {
        const std::vector<sc_core::sc_time> reference = run_crowd(cycle_fabric, overrides);
        for (const Engine& engine : engines()) {
            EXPECT_TRUE(run_crowd(engine.make, overrides) == reference)
                << engine.name << ", " << testing::PrintToString(overrides);
        }
    }
}

TEST(InterconnectEngines, GiveTheSameTimesInSlices) {
    for (const Engine& engine : engines()) {
        const std::vector<sc_core::sc_time> reference = run_crowd(engine.make, {});
        // Slices that end with cycles, within them, and after many.
        for (const double slice_ns : {1.0, 0.37, 1234.5}) {
            EXPECT_TRUE(run_crowd(engine.make, {}, slice_ns) == reference)
                << engine.name << ", slices of " << slice_ns << " ns";
        }
    }
}

TEST(InterconnectEngines, HoldTheirOwnRules) {
    const FreshKernel kernel;
    EXPECT_THAT(refused_with([&] {
                    const TlmInterconnect interconnect("interconnect",
                                                       config_with({"fabric.virtual_channels=2"}));
                }),
                HasSubstr("the TLM engine computes in bursts"));
}

}  // namespace
}  // namespace flitscope
