// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/process_pool.h"
#include "models/base/file_text.h"
#include "models/config/config.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "testbench/app/configuration/configuration.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/work_folder.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::study {
namespace {

using testing::HasSubstr;

constexpr std::chrono::milliseconds kLong{60'000};

Finished only(const std::function<std::string()>& work) {
    ProcessPool pool(1, [&work](const std::string&) { return Answer{work()}; });
    pool.start(3, "");
    EXPECT_FALSE(pool.has_room());
    const auto finished = pool.wait(kLong);
    EXPECT_TRUE(finished);
    EXPECT_TRUE(pool.is_idle());
    EXPECT_EQ(finished->task, 3U);
    return *finished;
}

TEST(ProcessPool, HandsOverWhatTheWorkReturns) {
    const std::string text(3 << 20, 'x');  // more than a pipe holds
    const Finished finished = only([&text] { return text; });
    EXPECT_TRUE(finished.is_done);
    EXPECT_TRUE(finished.text == text);
}

TEST(ProcessPool, TellsWhatTheWorkThrows) {
    const Finished finished =
        only([]() -> std::string { throw std::runtime_error("out of flits"); });
    EXPECT_FALSE(finished.is_done);
    EXPECT_EQ(finished.text, "out of flits");
}

TEST(ProcessPool, ACrashIsAnOutcome) {
    const Finished killed = only([]() -> std::string {
        std::raise(SIGKILL);
        return "never";
    });
    EXPECT_FALSE(killed.is_done);
    EXPECT_THAT(killed.text, HasSubstr("signal 9"));
    const Finished left = only([]() -> std::string { _exit(7); });
    EXPECT_FALSE(left.is_done);
    EXPECT_THAT(left.text, HasSubstr("exit code 7"));
}

TEST(ProcessPool, NothingIsThrownIntoWhatItsProcessesAreCopiesOf) {
    const WorkFolder folder;
    const std::string trace = folder.file("unwound");
    struct Caller {
        std::string trace;
        ~Caller() {
            if (getpid() != self) std::ofstream(trace) << "in a process of the pool";
        }
        pid_t self = getpid();
    } const caller{trace};
    const Finished finished = only([]() -> std::string { throw 3; });
    EXPECT_FALSE(finished.is_done);
    EXPECT_THAT(finished.text, HasSubstr("exit code 1"));
    EXPECT_FALSE(std::filesystem::exists(trace));
}

TEST(ProcessPool, WorksOnAllAtATime) {
    ProcessPool pool(4, [](const std::string& what) {
        const std::size_t task = std::stoul(what);
        return Answer{std::to_string(task * task)};
    });
    std::map<std::size_t, std::string> texts;
    std::size_t next = 0;
    while (texts.size() < 40) {
        while (next < 40 && pool.has_room()) {
            const std::size_t task = next++;
            pool.start(task, std::to_string(task));
        }
        if (const auto finished = pool.wait(kLong)) texts[finished->task] = finished->text;
    }
    for (const auto& [task, text] : texts) EXPECT_EQ(text, std::to_string(task * task));
}

/// A pool of one, whose work is to report its process, or to die.
class Workshop {
public:
    std::string tell(const std::string& what) {
        pool_.start(0, what);
        const auto finished = pool_.wait(kLong);
        EXPECT_TRUE(finished);
        return finished->text;
    }

private:
    ProcessPool pool_{1, [](const std::string& what) {
                          if (what == "throw") throw std::runtime_error("out of flits");
                          if (what == "die") std::raise(SIGKILL);
                          return Answer{std::to_string(getpid()), what == "last"};
                      }};
};

TEST(ProcessPool, AProcessDoesOnePieceOfWorkAfterTheOther) {
    Workshop workshop;
    const std::string first = workshop.tell("");
    EXPECT_NE(first, std::to_string(getpid()));
    for (int i = 0; i < 20; ++i) EXPECT_EQ(workshop.tell(""), first);
}

TEST(ProcessPool, AnotherProcessGoesOnWhereOneHasEnded) {
    Workshop workshop;
    for (const char* end : {"last", "throw", "die"}) {
        const std::string before = workshop.tell("");
        workshop.tell(end);
        EXPECT_NE(workshop.tell(""), before) << end;
    }
}

TEST(ProcessPool, WhoDiesWithoutWorkTakesNoneWithIt) {
    Workshop workshop;
    const std::string before = workshop.tell("");
    kill(std::stoi(before), SIGKILL);
    siginfo_t ended{};  // a zombie yet: its end is the pool's affair
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(std::stoi(before)), &ended, WEXITED | WNOWAIT), 0);
    const std::string after = workshop.tell("");
    EXPECT_NE(after, before);
    EXPECT_GT(std::stoi(after), 0);
}

TEST(ProcessPool, EndsWhatIsStillAtWork) {
    const auto begin = std::chrono::steady_clock::now();
    {
        ProcessPool pool(2, [](const std::string&) {
            sleep(600);
            return Answer{};
        });
        for (const std::size_t task : {0, 1}) pool.start(task, "");
        EXPECT_FALSE(pool.wait(std::chrono::milliseconds(10)));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

TEST(ProcessPool, EndsTheProgramsThatWereStartedAndTheirFolders) {
    const WorkFolder told;
    {
        ProcessPool pool(1, [&told](const std::string&) {
            const SignalWatch watch;
            const WorkFolder folder;
            told.write("folder", folder.path());
            const std::string script = "echo $$ > pid; mv pid '" + told.path() + "'; sleep 600";
            run_tool({{"sh", "-c", script}, folder.path(), "log", {}}, [] { return true; });
            return Answer{};
        });
        pool.start(0, "");
        const auto deadline = std::chrono::steady_clock::now() + kLong;
        while (!std::ifstream(told.file("pid")) && std::chrono::steady_clock::now() < deadline) {
            EXPECT_FALSE(pool.wait(std::chrono::milliseconds(10)));
        }
    }
    EXPECT_EQ(kill(std::stoi(read_file(told.file("pid"))), 0), -1) << "it goes on";
    EXPECT_FALSE(std::filesystem::exists(read_file(told.file("folder"))));
}

TEST(ProcessPool, EndsWhatDoesNotListen) {
    const auto begin = std::chrono::steady_clock::now();
    {
        ProcessPool pool(1, [](const std::string&) {
            std::signal(SIGTERM, SIG_IGN);
            sleep(600);
            return Answer{};
        });
        pool.start(0, "");
        EXPECT_FALSE(pool.wait(std::chrono::milliseconds(100)));
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(300));
}

/// A pool of one, for `tasks` appraisals: its actions, letter by letter. It is cancelled once
/// `most` outcomes are there.
std::string done_by_a_worker_pool(std::size_t tasks, std::size_t most) {
    const Config config = parse_config(
        "fabric: {topology: {kind: mesh, dims: [2, 2]}}\n"
        "traffic: {schedule: gen, message_bytes: 8}\n",
        "test");
    std::string done;
    std::size_t handed_out = 0;
    std::size_t outcomes = 0;
    Job job;
    job.next = [&]() -> std::optional<Task> {
        if (handed_out == tasks) return std::nullopt;
        done += 'n';
        return Task{handed_out, handed_out++};
    };
    job.point = [&](const Json&) { return DesignPoint{config, Measurement::kAppraisal, "auto"}; };
    job.on_outcome = [&](std::size_t, const PointOutcome& outcome) {
        EXPECT_TRUE(outcome.is_measured()) << outcome.problem;
        ++outcomes;
        done += 'o';
    };
    job.catch_up = [&] {
        if (done.empty() || done.back() != 'c') done += 'c';  // again if a wait was long
    };
    try {
        process_worker_pool({1, [&] { return outcomes == most; }})(job);
    } catch (const Cancelled&) {
        done += 'x';
    }
    return done;
}

TEST(WorkerPool, CatchesUpWhenEverybodyHasWork) {
    EXPECT_EQ(done_by_a_worker_pool(3, 4), "nconconcoc");
    EXPECT_EQ(done_by_a_worker_pool(0, 1), "c");
}

TEST(WorkerPool, CatchesUpBeforeItIsCancelled) {
    EXPECT_EQ(done_by_a_worker_pool(3, 2), "nconcocx");
}

}  // namespace
}  // namespace flitscope::study
