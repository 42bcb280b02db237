// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A synthesis that is stopped leaves no program and no file behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/verification/tests/run/synth_fixture.h"

namespace flitscope {
namespace {

using ::testing::ElementsAre;

/// A tool that starts another program and would take a minute.
constexpr const char* kSlow = "sleep 60 & echo $! > pid.new; mv pid.new $PIDFILE; wait\n";

/// A zombie has ended; only its parent, or init, can reap it.
bool runs_still(const std::string& pid) {
    const std::string stat = "/proc/" + pid + "/stat";
    if (!fs::exists(stat)) return false;
    const std::string text = read_file(stat);
    return text.substr(text.rfind(')') + 2, 1) != "Z";
}

class InterruptedSynthesis : public Synthesis {
protected:
    InterruptedSynthesis() {
        fake_tools();
        set("PIDFILE", path("pid"));
        program("yosys", kSlow);
    }

    /// Until the program that the tool started has ended; the kernel takes a moment.
    void expect_all_ended() const {
        std::string pid = read_file(path("pid"));
        pid.erase(pid.find('\n'));
        for (int i = 0; i < 200 && runs_still(pid); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        EXPECT_FALSE(runs_still(pid));
    }
    bool tool_runs() const { return fs::exists(path("pid")); }
};

TEST_F(InterruptedSynthesis, LeavesNothingWhenTheCallerStopsIt) {
    const auto stop = [this](const SynthesisProgress&) { return !tool_runs(); };
    EXPECT_THROW(synthesize(variant_, conditions_, stop), SynthesisInterrupted);
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(InterruptedSynthesis, LeavesNothingWhenTheCallbackThrows) {
    const auto give_up = [this](const SynthesisProgress&) -> bool {
        if (tool_runs()) throw std::logic_error("enough");
        return true;
    };
    EXPECT_THROW(synthesize(variant_, conditions_, give_up), std::logic_error);
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

volatile std::sig_atomic_t signals_met = 0;

TEST_F(InterruptedSynthesis, LeavesNothingAfterASignalThatTheCallerHandles) {
    signals_met = 0;
    const auto old = std::signal(SIGINT, [](int) { signals_met = signals_met + 1; });
    const auto interrupt = [this](const SynthesisProgress&) {
        if (tool_runs()) {
            EXPECT_TRUE(fs::exists(path("cache/synth")));
            std::raise(SIGINT);
        }
        return true;
    };
    EXPECT_THROW(synthesize(variant_, conditions_, interrupt), SynthesisInterrupted);
    std::signal(SIGINT, old);
    EXPECT_EQ(signals_met, 1);
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

TEST_F(InterruptedSynthesis, LeavesNothingAfterASignalThatEndsTheProcess) {
    const auto terminate = [this](const SynthesisProgress&) {
        if (tool_runs()) std::raise(SIGTERM);
        return true;
    };
    EXPECT_EXIT(synthesize(variant_, conditions_, terminate), ::testing::KilledBySignal(SIGTERM),
                "");
    expect_all_ended();
    EXPECT_THAT(entries(), ElementsAre());
}

}  // namespace
}  // namespace flitscope
