// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/process_pool.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>

#include "models/base/memory.h"
#include "models/base/output_file.h"

namespace flitscope::study {
namespace {

/// The time that a process has to end what it has started.
constexpr std::chrono::seconds kTidyingUp{2};

/// Exit code of a process that has no memory left to say so.
constexpr int kMemoryUsedUp = 3;

/// A message through a socket: a piece of work, or its outcome.
struct Parcel {
    std::string text;
    bool is_done = true;
    bool is_last = false;
};

/// Before the text of each.
struct Header {
    std::uint64_t size = 0;  ///< size of the text, bytes
    bool is_done = true;
    bool is_last = false;
};

/// Whether all of it was taken; otherwise the other end no longer reads.
bool send_all(int socket, const char* bytes, std::size_t size) {
    while (size != 0) {
        const ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) return false;
        if (sent <= 0) continue;
        bytes += sent;
        size -= static_cast<std::size_t>(sent);
    }
    return true;
}

bool send_parcel(int socket, const Parcel& parcel) {
    const Header header{parcel.text.size(), parcel.is_done, parcel.is_last};
    std::array<char, sizeof header> bytes;
    std::memcpy(bytes.data(), &header, sizeof header);
    return send_all(socket, bytes.data(), bytes.size()) &&
           send_all(socket, parcel.text.data(), parcel.text.size());
}

/// Whether there was anything; otherwise the other end is closed.
bool receive_some(int socket, std::string& received) {
    std::array<char, 1 << 16> block;
    ssize_t got = 0;
    do {
        got = recv(socket, block.data(), block.size(), 0);
    } while (got < 0 && errno == EINTR);
    if (got > 0) received.append(block.data(), static_cast<std::size_t>(got));
    return got > 0;
}

/// Takes the first one out of what was received, once all of it is there.
std::optional<Parcel> take_parcel(std::string& received) {
    Header header;
    if (received.size() < sizeof header) return std::nullopt;
    std::memcpy(&header, received.data(), sizeof header);
    if (received.size() - sizeof header < header.size) return std::nullopt;
    Parcel parcel{received.substr(sizeof header, header.size), header.is_done, header.is_last};
    received.erase(0, sizeof header + header.size);
    return parcel;
}

/// Does what comes through the socket, until the other end is closed or it is enough.
void serve(int socket, const Work& work) {
    std::string received;
    while (receive_some(socket, received)) {
        const std::optional<Parcel> what = take_parcel(received);
        if (!what) continue;
        Parcel parcel;
        try {
            Answer answer = work(what->text);
            parcel = {std::move(answer.text), true, answer.is_last};
        } catch (const std::bad_alloc&) {
            parcel = {kOutOfMemory, false, true};
        } catch (const std::exception& error) {
            parcel = {error.what(), false, true};
        }
        if (!send_parcel(socket, parcel) || parcel.is_last) return;
    }
}

/// Blocks terminating signals while in scope: until a forked child has reset the handlers that it
/// has inherited.
class SignalsLater {
public:
    SignalsLater() {
        sigset_t held;
        sigemptyset(&held);
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&held, number);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsLater() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsLater(const SignalsLater&) = delete;
    SignalsLater& operator=(const SignalsLater&) = delete;

    /// The signals that were blocked before.
    const sigset_t& before() const { return before_; }

private:
    sigset_t before_{};
};

[[noreturn]] void work_for(pid_t parent, int socket, const Work& work, const sigset_t& signals) {
    // SIGTERM ends it and, as SIGKILL would not, a program that it has started, whose process group
    // is its own, with the folder in which that works.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, end_by_signal);
    pthread_sigmask(SIG_SETMASK, &signals, nullptr);
    // Its results are of no use once its parent is gone.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    // No destructors, and nothing thrown into the parent's functions, whose stack this copies:
    // resources that the parent has opened belong to the parent.
    try {
        serve(socket, work);
    } catch (const std::bad_alloc&) {
        _exit(kMemoryUsedUp);
    } catch (...) {
        _exit(1);
    }
    _exit(0);
}

}  // namespace

ProcessPool::ProcessPool(unsigned processes, Work work)
    : most_(std::max(processes, 1U)), work_(std::move(work)) {}

ProcessPool::~ProcessPool() {
    for (const Worker& worker : workers_) {
        close(worker.socket);
        kill(worker.process, SIGTERM);
    }
    const auto deadline = std::chrono::steady_clock::now() + kTidyingUp;
    for (const Worker& worker : workers_) {
        while (waitpid(worker.process, nullptr, WNOHANG) == 0) {
            if (std::chrono::steady_clock::now() > deadline) kill(worker.process, SIGKILL);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
}

std::size_t ProcessPool::busy() const {
    return static_cast<std::size_t>(
        std::count_if(workers_.begin(), workers_.end(),
                      [](const Worker& worker) { return worker.task.has_value(); }));
}

void ProcessPool::start(std::size_t task, const std::string& what) {
    for (;;) {
        const auto idle = std::find_if(workers_.begin(), workers_.end(), [](const Worker& worker) {
            return !worker.task.has_value();
        });
        if (idle == workers_.end()) break;
        if (give(*idle, task, what)) return;
        bury(*idle);  // ended from outside while it had nothing to do: this is not an outcome
    }
    Worker& worker = add_worker();
    // If it was ended before it could take its task, that has ended with it: wait() finds its
    // socket closed, and reports that.
    if (!give(worker, task, what)) worker.task = task;
}

bool ProcessPool::give(Worker& worker, std::size_t task, const std::string& what) {
    if (!send_parcel(worker.socket, {what})) return false;
    worker.task = task;
    return true;
}

ProcessPool::Worker& ProcessPool::add_worker() {
    std::array<int, 2> ends{};
    // Programs that a worker starts must not keep its end open.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::runtime_error(std::string("cannot open a socket: ") + std::strerror(errno));
    }
    std::fflush(nullptr);  // buffered data would be written twice
    const pid_t parent = getpid();
    const SignalsLater signals;
    const pid_t process = fork();
    if (process == 0) {
        close(ends[0]);
        for (const Worker& other : workers_) close(other.socket);
        work_for(parent, ends[1], work_, signals.before());
    }
    close(ends[1]);
    if (process < 0) {
        close(ends[0]);
        throw std::runtime_error(std::string("cannot start a process: ") + std::strerror(errno));
    }
    return workers_.emplace_back(Worker{process, ends[0], std::nullopt, {}});
}

std::optional<Finished> ProcessPool::wait(std::chrono::milliseconds patience) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    std::vector<pollfd> waiting;
    for (const Worker& worker : workers_) {
        // poll() passes over what is negative: nothing is asked of those that have no work.
        waiting.push_back({worker.task ? worker.socket : -1, POLLIN, 0});
    }
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() < 0 || is_idle()) return std::nullopt;
        if (poll(waiting.data(), waiting.size(), static_cast<int>(left.count())) <= 0) {
            return std::nullopt;  // or a signal, for the caller to handle
        }
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].revents == 0) continue;
            if (auto finished = receive(workers_[i])) return finished;
        }
    }
}

std::optional<Finished> ProcessPool::receive(Worker& worker) {
    if (!receive_some(worker.socket, worker.received)) return bury(worker);
    std::optional<Parcel> parcel = take_parcel(worker.received);
    if (!parcel) return std::nullopt;
    Finished finished{*worker.task, parcel->is_done, std::move(parcel->text)};
    worker.task.reset();
    if (parcel->is_last) bury(worker);
    return finished;
}

/// Its end of the socket is closed, so its process is ending.
Finished ProcessPool::bury(Worker& worker) {
    close(worker.socket);
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    Finished finished{worker.task.value_or(0), false, {}};
    if (WIFSIGNALED(status)) {
        finished.text = std::string("its process was ended by signal ") +
                        std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
    } else if (WEXITSTATUS(status) == kMemoryUsedUp) {
        finished.text = kOutOfMemory;
    } else {
        finished.text = "its process ended with exit code " + std::to_string(WEXITSTATUS(status));
    }
    workers_.erase(workers_.begin() + (&worker - workers_.data()));
    return finished;
}

}  // namespace flitscope::study
