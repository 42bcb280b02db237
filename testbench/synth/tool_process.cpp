// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/synth/tool_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "models/base/file_text.h"

namespace flitscope {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t caught_signal = 0;

void note_signal(int number) { caught_signal = number; }

/// A running program, in a process group of its own with what it starts.
class Child {
public:
    explicit Child(pid_t pid) : pid_(pid) {}
    ~Child() {
        if (pid_ == 0) return;
        kill(-pid_, SIGKILL);
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// True, with its status, when it has ended.
    bool ended(int& status) {
        const pid_t result = waitpid(pid_, &status, WNOHANG);
        if (result == 0 || (result < 0 && errno == EINTR)) return false;
        if (result < 0) throw std::runtime_error("waitpid: " + std::string(std::strerror(errno)));
        pid_ = 0;
        return true;
    }

private:
    pid_t pid_;
};

/// File actions and attributes of posix_spawn, which must be destroyed.
class SpawnSettings {
public:
    SpawnSettings(const std::string& folder, const std::string& log) {
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
        // Not closed: the next file a tool opens would take its place.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0666);
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);

        posix_spawnattr_init(&attributes);
        sigset_t set;
        sigemptyset(&set);
        posix_spawnattr_setsigmask(&attributes, &set);
        for (const int number : kSignals) sigaddset(&set, number);
        posix_spawnattr_setsigdefault(&attributes, &set);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    }
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
};

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& changes) {
    std::vector<std::string> result;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        if (changes.count(text.substr(0, text.find('='))) == 0) result.push_back(text);
    }
    for (const auto& [name, value] : changes) result.push_back(name + '=' + value);
    return result;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

pid_t spawn(const ToolCommand& command) {
    std::vector<std::string> arguments = command.arguments;
    std::vector<std::string> environment = merged_environment(command.environment);
    const SpawnSettings settings(command.folder, command.log);
    pid_t pid = 0;
    const int error =
        posix_spawnp(&pid, arguments.front().c_str(), &settings.actions, &settings.attributes,
                     pointers(arguments).data(), pointers(environment).data());
    if (error != 0) {
        throw std::runtime_error(
            fmt::format("cannot start {}: {}", arguments.front(), std::strerror(error)));
    }
    return pid;
}

void require_success(const ToolCommand& command, int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const std::string how = WIFSIGNALED(status)
                                ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                : fmt::format("ended with exit code {}", WEXITSTATUS(status));
    throw std::runtime_error(
        fmt::format("{} {}:\n{}", command.arguments.front(), how,
                    last_lines(read_file(command.folder + '/' + command.log))));
}

}  // namespace

SignalWatch::SignalWatch() {
    caught_signal = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    for (const int number : kSignals) {
        Previous previous{number, {}};
        sigaction(number, nullptr, &previous.action);
        if (previous.action.sa_handler == SIG_IGN) continue;
        sigaction(number, &action, nullptr);
        previous_.push_back(previous);
    }
}

SignalWatch::~SignalWatch() {
    for (const Previous& previous : previous_) {
        sigaction(previous.number, &previous.action, nullptr);
    }
    if (caught_signal != 0) std::raise(caught_signal);
}

int SignalWatch::caught() { return caught_signal; }

bool run_tool(const ToolCommand& command, const std::function<bool()>& proceed) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::milliseconds kCheck(10);
    constexpr std::chrono::milliseconds kReport(100);
    Child child(spawn(command));
    int status = 0;
    for (Clock::time_point next = Clock::now() + kReport; !child.ended(status);) {
        std::this_thread::sleep_for(kCheck);
        if (caught_signal != 0) return false;
        if (Clock::now() < next) continue;
        if (!proceed()) return false;
        next = Clock::now() + kReport;
    }
    if (caught_signal != 0) return false;
    require_success(command, status);
    return true;
}

std::string last_lines(const std::string& text) {
    constexpr std::size_t kShown = 5;
    std::deque<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        lines.push_back("  " + line);
        if (lines.size() > kShown) lines.pop_front();
    }
    std::string result;
    for (const std::string& line : lines) result += (result.empty() ? "" : "\n") + line;
    return result.empty() ? "  (its log is empty)" : result;
}

}  // namespace flitscope
