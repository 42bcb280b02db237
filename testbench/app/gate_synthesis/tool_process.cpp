// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/gate_synthesis/tool_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "models/base/file_text.h"
#include "testbench/app/gate_synthesis/toolchain.h"

namespace flitscope {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile std::sig_atomic_t caught_signal = 0;

void note_signal(int number) { caught_signal = number; }

/// A running program, in its own process group with the processes it starts.
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

bool reopen(int descriptor, const char* path, int flags) {
    const int opened = open(path, flags, 0666);
    if (opened < 0) return false;
    if (opened == descriptor) return true;
    return dup2(opened, descriptor) >= 0 && close(opened) == 0;
}

/// The child becomes the program, or writes to `failed` why it cannot. Calls only functions that
/// are allowed in a child of a process with several threads.
[[noreturn]] void become(const ToolCommand& command, const char* program, char* const* arguments,
                         char* const* environment, pid_t parent, int failed) {
    setpgid(0, 0);
    // However we end; posix_spawn() cannot do this.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    for (const int number : kSignals) std::signal(number, SIG_DFL);
    // Input is not closed: the next file a tool opens would take its place.
    if (chdir(command.folder.c_str()) == 0 && reopen(STDIN_FILENO, "/dev/null", O_RDONLY) &&
        reopen(STDOUT_FILENO, command.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC) &&
        dup2(STDOUT_FILENO, STDERR_FILENO) >= 0) {
        sigset_t none;
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, nullptr);
        execve(program, arguments, environment);
    }
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(failed, &error, sizeof error);
    _exit(1);
}

pid_t spawn(const ToolCommand& command) {
    std::vector<std::string> arguments = command.arguments;
    std::vector<std::string> environment = merged_environment(command.environment);
    const std::vector<char*> argument_pointers = pointers(arguments);
    const std::vector<char*> environment_pointers = pointers(environment);
    const auto fail = [&](const char* why) {
        throw std::runtime_error(fmt::format("cannot start {}: {}", arguments.front(), why));
    };
    // Not by execvp(), which has a shell read a file that is not a program.
    const bool has_folder = arguments.front().find('/') != std::string::npos;
    const std::string program = has_folder ? arguments.front() : find_program(arguments.front());
    if (program.empty()) fail(std::strerror(ENOENT));
    int failed[2];  // closed by the program that begins
    if (pipe2(failed, O_CLOEXEC) != 0) fail(std::strerror(errno));
    const pid_t parent = getpid();
    const pid_t pid = fork();
    const int of_fork = errno;
    if (pid == 0) {
        become(command, program.c_str(), argument_pointers.data(), environment_pointers.data(),
               parent, failed[1]);
    }
    close(failed[1]);
    int error = pid < 0 ? of_fork : 0;
    while (pid > 0 && read(failed[0], &error, sizeof error) < 0 && errno == EINTR) continue;
    close(failed[0]);
    if (error == 0) return pid;
    while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR) continue;
    fail(std::strerror(error));
    return 0;
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
