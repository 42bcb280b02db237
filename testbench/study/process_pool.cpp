// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/study/process_pool.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

namespace flitscope::study {
namespace {

constexpr int kDone = 0;
constexpr int kThrew = 1;

void write_all(int pipe, const std::string& text) {
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t some = write(pipe, text.data() + written, text.size() - written);
        if (some < 0 && errno != EINTR) return;  // nobody reads any more
        if (some > 0) written += static_cast<std::size_t>(some);
    }
}

[[noreturn]] void work_and_exit(pid_t parent, int pipe, const std::function<std::string()>& work) {
    // Nobody would take what it finds once its parent is gone.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(kThrew);
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    int code = kDone;
    std::string text;
    try {
        text = work();
    } catch (const std::exception& error) {
        code = kThrew;
        text = error.what();
    }
    write_all(pipe, text);
    _exit(code);  // no destructors: what the parent has loaded is the parent's
}

}  // namespace

ProcessPool::~ProcessPool() {
    for (const Worker& worker : workers_) kill(worker.process, SIGKILL);
    for (const Worker& worker : workers_) {
        close(worker.pipe);
        waitpid(worker.process, nullptr, 0);
    }
}

void ProcessPool::start(std::size_t task, const std::function<std::string()>& work) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        throw std::runtime_error(std::string("cannot open a pipe: ") + std::strerror(errno));
    }
    std::fflush(nullptr);  // what is buffered would be written twice
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        for (const Worker& other : workers_) close(other.pipe);
        work_and_exit(parent, ends[1], work);
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    workers_.push_back({task, process, ends[0], {}});
}

std::optional<Finished> ProcessPool::wait(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers_) waiting.push_back({worker.pipe, POLLIN, 0});
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() < 0 || waiting.empty()) return std::nullopt;
        if (poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) <= 0) {
            return std::nullopt;  // or a signal, which the caller wants to know of
        }
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].revents == 0) continue;
            std::array<char, 1 << 16> block;
            const ssize_t got = read(waiting[i].fd, block.data(), block.size());
            if (got <= 0) return finish(i);
            workers_[i].text.append(block.data(), static_cast<std::size_t>(got));
        }
    }
}

/// Its end of the pipe is closed, so its process is ending.
Finished ProcessPool::finish(std::size_t index) {
    const Worker worker = std::move(workers_[index]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(index));
    close(worker.pipe);
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    Finished finished{worker.task, WIFEXITED(status) && WEXITSTATUS(status) == kDone, worker.text};
    if (WIFSIGNALED(status)) {
        finished.text = std::string("its process was ended by signal ") +
                        std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    } else if (!finished.is_done && WEXITSTATUS(status) != kThrew) {
        finished.text = "its process ended with exit code " + std::to_string(WEXITSTATUS(status));
    }
    return finished;
}

}  // namespace flitscope::study
