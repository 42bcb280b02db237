// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/slurm/slurm_worker_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/digest.h"
#include "models/base/file_text.h"
#include "models/base/output_file.h"
#include "models/base/shell_word.h"
#include "models/base/stopwatch.h"
#include "testbench/app/configuration/configuration.h"
#include "testbench/app/gate_synthesis/tool_process.h"
#include "testbench/app/gate_synthesis/work_folder.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/slurm/chunk.h"
#include "testbench/app/study/slurm/slurm.h"

namespace flitscope::study {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// Intended time of a chunk: ten times what Slurm needs to start it.
constexpr double kChunkSeconds = 10;
/// Chunks for each processor: one that is measured, and one that begins when it ends.
constexpr std::size_t kChunksPerProcessor = 2;
constexpr std::size_t kMostChunks = 1000;  // arrays have at most MaxArraySize elements
constexpr std::size_t kMostPointsPerChunk = 1000;
/// Jobs that may end without an outcome of a point before it counts as crashed.
constexpr unsigned kMostJobs = 3;

constexpr milliseconds kLook{100};       // between two looks for outcomes
constexpr double kQueueSeconds = 2;      // between two questions to the controller
constexpr double kFileSeconds = 5;       // for which a file may be on its way from another machine
constexpr double kSilenceSeconds = 300;  // for which the controller may be away

/// The name of all jobs of a folder.
std::string job_name(const std::string& folder) {
    return "flitscope-" + digest_of(fs::absolute(folder).lexically_normal().string()).substr(0, 12);
}

/// A path that Slurm, which expands %j and the like in names of logs, takes as it is.
std::string unexpanded(const std::string& path) {
    std::string text;
    for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
    return text;
}

/// Goes on while Slurm does not answer a question, for a while.
class Patience {
public:
    /// Whether `ask` was answered. Throws std::runtime_error with the last reason when it has not
    /// been for kSilenceSeconds.
    template <class Ask>
    bool asks(Ask ask) {
        try {
            ask();
        } catch (const std::runtime_error& error) {
            if (!silence_) silence_.emplace();
            if (silence_->seconds() < kSilenceSeconds) return false;
            throw std::runtime_error(fmt::format(
                "Slurm has not answered for {:.0f} minutes; results so far are kept:\n{}",
                kSilenceSeconds / 60, error.what()));
        }
        silence_.reset();
        return true;
    }
    bool is_silent() const { return silence_.has_value(); }

private:
    std::optional<Stopwatch> silence_;
};

class SlurmWorkerPool {
public:
    explicit SlurmWorkerPool(const SlurmOptions& options)
        : options_(options),
          slurm_(job_name(options.folder), options.folder, options.is_cancelled) {
        fs::create_directories(options.folder);
    }

    SlurmWorkerPool(const SlurmWorkerPool&) = delete;
    SlurmWorkerPool& operator=(const SlurmWorkerPool&) = delete;
    /// Removes the folder if no chunk is left: its files are of no further use.
    ~SlurmWorkerPool() {
        std::error_code ignored;
        if (chunks_.empty()) fs::remove_all(options_.folder, ignored);
    }

    void work(const Job& job) {
        try {
            for (;;) {
                if (options_.is_cancelled && options_.is_cancelled()) throw Cancelled{};
                fill(job);
                if (chunks_.empty() && line_.empty()) break;
                if (collect(job)) continue;
                if (since_queue_.seconds() > kQueueSeconds) look_at_queue();
                std::this_thread::sleep_for(kLook);
            }
        } catch (...) {
            // Without the question whether it is cancelled, which it may be.
            const Slurm slurm(job_name(options_.folder), options_.folder, {});
            try {
                slurm.cancel();
            } catch (const std::runtime_error&) {  // there is nothing else to be done
            }
            throw;
        }
    }

private:
    struct Item {
        std::size_t task;
        DesignPoint point;
        unsigned jobs = 0;  ///< that ended without its outcome
    };
    struct Chunk {
        std::string file;
        std::string log;
        ArrayElement element;
        std::vector<Item> items;
        std::size_t received = 0;  ///< outcomes; they come in the order of the items
        double ended = -1;         ///< when its job was first seen to be no more; negative: never
    };

    // ---- Handing out ----------------------------------------------------------------------------

    bool is_calibrated() const { return measured_ != 0; }

    std::size_t points_per_chunk() const {
        if (!is_calibrated()) return 1;
        const double mean = std::max(measured_seconds_ / static_cast<double>(measured_), 1e-6);
        return std::clamp<std::size_t>(static_cast<std::size_t>(kChunkSeconds / mean), 1,
                                       kMostPointsPerChunk);
    }

    /// Whether there is a further item; then it is in the line.
    bool draw(const Job& job) {
        if (!line_.empty()) return true;
        const std::optional<Task> task = job.next();
        if (!task) return false;
        DesignPoint point = job.point(task->recipe);
        require_nameable_files(point.config, "--slurm");
        line_.push_back({task->id, std::move(point)});
        return true;
    }

    void fill(const Job& job) {
        if (processors_ == 0) {
            processors_ = std::max(slurm_.processors(), 1U);
        } else if (since_processors_.seconds() > 10 * kQueueSeconds) {
            // Jobs wait for a node that is down.
            counting_.asks([this] { processors_ = std::max(slurm_.processors(), 1U); });
            since_processors_ = Stopwatch();
        }
        if (submitting_.is_silent() && since_submission_.seconds() < kQueueSeconds) return;
        const std::size_t most = std::min(
            kMostChunks, processors_ * (is_calibrated() ? kChunksPerProcessor : std::size_t{1}));
        std::vector<std::vector<Item>> fresh;
        while (chunks_.size() + fresh.size() < most && draw(job)) {
            std::vector<Item> items;
            while (items.size() < points_per_chunk() && draw(job)) {
                items.push_back(std::move(line_.front()));
                line_.pop_front();
            }
            fresh.push_back(std::move(items));
        }
        if (!fresh.empty()) submit(std::move(fresh));
    }

    void submit(std::vector<std::vector<Item>> fresh) {
        const fs::path folder =
            fs::absolute(options_.folder) / fmt::format("job_{}", submissions_++);
        fs::create_directories(folder);
        std::vector<Chunk> chunks;
        for (std::vector<Item>& items : fresh) {
            Chunk& chunk = chunks.emplace_back();
            chunk.file = (folder / fmt::format("chunk_{}.json", chunks.size() - 1)).string();
            chunk.log = (folder / fmt::format("log_{}.txt", chunks.size() - 1)).string();
            std::vector<DesignPoint> points;
            for (const Item& item : items) points.push_back(item.point);
            chunk.items = std::move(items);
            write_chunk(chunk.file, points);
        }
        const std::string script = (folder / "job.sh").string();
        write_whole_file(script, [&](std::ostream& out) {
            out << "#!/bin/sh\nexec " << shell_word(fs::read_symlink("/proc/self/exe").string())
                << " worker " << shell_word(folder.string())
                << "/chunk_\"$SLURM_ARRAY_TASK_ID\".json\n";
        });
        std::string job;
        const auto ask = [&] {
            job = slurm_.submit(script, static_cast<unsigned>(chunks.size()),
                                unexpanded(folder.string()) + "/log_%a.txt");
        };
        since_submission_ = Stopwatch();
        if (!has_submitted_) {  // a cluster that takes no job of ours is reported at once
            ask();
            has_submitted_ = true;
        } else if (!submitting_.asks(ask)) {
            for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) {
                line_.insert(line_.begin(), std::make_move_iterator(chunk->items.begin()),
                             std::make_move_iterator(chunk->items.end()));
            }
            fs::remove_all(folder);
            return;
        }
        for (std::size_t i = 0; i < chunks.size(); ++i) {
            chunks[i].element = {job, static_cast<unsigned>(i)};
            chunks_.push_back(std::move(chunks[i]));
        }
    }

    // ---- Taking in ------------------------------------------------------------------------------

    /// Takes what is there; whether that was anything.
    bool collect(const Job& job) {
        bool is_any = false;
        for (Chunk& chunk : chunks_) {
            while (chunk.received < chunk.items.size()) {
                auto outcome = read_outcome(chunk.file, chunk.received);
                if (!outcome) break;
                is_any = true;
                ++measured_;
                measured_seconds_ += outcome->wall_seconds;
                job.on_outcome(chunk.items[chunk.received++].task, *std::move(outcome));
            }
            if (chunk.received < chunk.items.size() && chunk.ended >= 0 &&
                clock_.seconds() - chunk.ended > kFileSeconds) {
                is_any = true;
                give_back(chunk, job);
            }
        }
        if (is_any && job.catch_up) job.catch_up();  // before the files that report it are removed
        for (const Chunk& chunk : chunks_) {
            if (chunk.received == chunk.items.size()) remove_chunk(chunk.file);
        }
        chunks_.erase(std::remove_if(chunks_.begin(), chunks_.end(),
                                     [](const Chunk& c) { return c.received == c.items.size(); }),
                      chunks_.end());
        return is_any;
    }

    /// Gives the points that an ended job left out to another one.
    void give_back(Chunk& chunk, const Job& job) {
        bool is_first = true;
        for (; chunk.received < chunk.items.size(); ++chunk.received) {
            Item& item = chunk.items[chunk.received];
            // Points after the first one were not begun.
            if (is_first) ++item.jobs;
            is_first = false;
            if (item.jobs < kMostJobs) {
                line_.push_back(std::move(item));
                continue;
            }
            PointOutcome outcome;
            outcome.problem = fmt::format(
                "{} jobs ended without its outcome, the last one with:\n{}", kMostJobs,
                fs::exists(chunk.log) ? last_lines(read_file(chunk.log)) : "  (it has no log)");
            job.on_outcome(item.task, std::move(outcome));
        }
    }

    void look_at_queue() {
        since_queue_ = Stopwatch();
        std::map<ArrayElement, std::string> states;
        if (!looking_.asks([&] { states = slurm_.states(); })) return;
        std::size_t running = 0;
        std::size_t waiting = 0;
        for (Chunk& chunk : chunks_) {
            const auto state = states.find(chunk.element);
            const std::string word = state == states.end() ? "COMPLETED" : state->second;
            if (word == "CANCELLED") {
                throw std::runtime_error(fmt::format(
                    "job {}_{} was cancelled; results so far are kept: rerun the command to "
                    "resume, with --jobs N instead of --slurm on this machine",
                    chunk.element.first, chunk.element.second));
            }
            if (is_alive(word)) {
                (word == "PENDING" ? waiting : running) += 1;
                chunk.ended = -1;
            } else if (chunk.ended < 0) {
                chunk.ended = clock_.seconds();
            }
        }
        if (options_.on_queue) options_.on_queue(running, waiting);
    }

    SlurmOptions options_;
    Slurm slurm_;
    unsigned processors_ = 0;
    std::deque<Item> line_;  // not handed out yet
    std::vector<Chunk> chunks_;
    std::size_t submissions_ = 0;
    std::uint64_t measured_ = 0;
    double measured_seconds_ = 0;
    Stopwatch clock_;
    bool has_submitted_ = false;
    Patience looking_;   // at the queue
    Patience counting_;  // processors
    Patience submitting_;
    Stopwatch since_queue_;
    Stopwatch since_processors_;
    Stopwatch since_submission_;
};

/// Ends the jobs of a folder, and waits until they have ended.
void end_jobs(const SlurmOptions& options) {
    constexpr int kSeconds = 60;
    const Slurm slurm(job_name(options.folder), options.folder, options.is_cancelled);
    try {
        slurm.require();
    } catch (const ConfigError&) {
        return;  // a job may still be at work; its outcomes are those that we would get
    }
    slurm.cancel();
    for (int second = 0; second < kSeconds; ++second) {
        const auto states = slurm.states();
        if (std::none_of(states.begin(), states.end(),
                         [](const auto& element) { return is_alive(element.second); })) {
            return;
        }
        std::this_thread::sleep_for(std::chrono::seconds(1));
    }
}

}  // namespace

void require_slurm(const std::string& folder) {
    // Slurm expands nothing in a name with backslashes, not even the number of an element.
    if (const std::string path = fs::absolute(folder).string();
        path.find('\\') != std::string::npos) {
        throw ConfigError({"--slurm", 0, 0},
                          fmt::format("'{}' has a backslash in its name, which means something "
                                      "else to Slurm",
                                      path),
                          "put the database into another folder");
    }
    const SignalWatch watch;  // outlives the folder, which is gone when the signal is met
    const WorkFolder work;
    Slurm("", work.path(), {}).require();
}

WorkerPool slurm_worker_pool(const SlurmOptions& options) {
    const auto pool = std::make_shared<SlurmWorkerPool>(options);
    return [pool](const Job& job) { pool->work(job); };
}

void take_over(const SlurmOptions& options,
               const std::function<void(const DesignPoint&, const PointOutcome&)>& on_outcome) {
    if (!fs::exists(options.folder)) return;
    end_jobs(options);
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(options.folder)) {
        const std::string name = file.path().filename().string();
        if (name.rfind("chunk_", 0) != 0 || file.path().extension() != ".json") continue;
        std::vector<DesignPoint> points;
        try {
            points = read_chunk(file.path().string());
        } catch (const ConfigError&) {
            continue;  // of another program
        }
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (const auto outcome = read_outcome(file.path().string(), i)) {
                on_outcome(points[i], *outcome);
            }
        }
    }
    fs::remove_all(options.folder);
}

}  // namespace flitscope::study
