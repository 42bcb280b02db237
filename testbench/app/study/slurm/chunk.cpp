// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/slurm/chunk.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/file_text.h"
#include "models/base/output_file.h"
#include "models/base/printable.h"
#include "testbench/app/study/design_point.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::study {
namespace {

namespace fs = std::filesystem;

fs::path outcomes_of(const std::string& file) { return fs::path(file).replace_extension(); }

fs::path outcome_file(const std::string& file, std::size_t point) {
    return outcomes_of(file) / fmt::format("{}.json", point);
}

void write_json(const fs::path& file, const Json& json) {
    write_whole_file(file.string(), [&](std::ostream& out) { out << json << '\n'; });
}

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
    throw ConfigError({file, 0, 0}, what,
                      "chunks are written by 'flitscope explore STUDY.yaml --db FILE --slurm'");
}

}  // namespace

void write_chunk(const std::string& file, const std::vector<DesignPoint>& points) {
    Json json = {{"program", program_name()}, {"points", Json::array()}};
    for (const DesignPoint& point : points) json["points"].push_back(to_json(point));
    fs::create_directories(outcomes_of(file));
    write_json(file, json);
}

std::vector<DesignPoint> read_chunk(const std::string& file) {
    const auto text = file_text(file);
    if (!text) refuse(file, "cannot be read");
    try {
        const Json json = Json::parse(*text);
        if (json.at("program") != program_name()) {
            refuse(file,
                   fmt::format("is for {}, and this is {}",
                               excerpt(json.at("program").get<std::string>()), program_name()));
        }
        std::vector<DesignPoint> points;
        for (const Json& point : json.at("points")) points.push_back(point_from_json(point));
        return points;
    } catch (const Json::exception&) {
        refuse(file, "is not a chunk");
    } catch (const std::out_of_range&) {
        refuse(file, "is not a chunk");
    }
}

std::optional<PointOutcome> read_outcome(const std::string& file, std::size_t point) {
    const auto text = file_text(outcome_file(file, point));
    if (!text) return std::nullopt;
    try {
        return outcome_from_json(Json::parse(*text));
    } catch (const Json::exception&) {
        return std::nullopt;
    } catch (const std::out_of_range&) {  // for a status
        return std::nullopt;
    }
}

void remove_chunk(const std::string& file) {
    // A job that Slurm has given up may still write into it: its leftovers do no harm.
    std::error_code ignored;
    fs::remove(file, ignored);
    fs::remove_all(outcomes_of(file), ignored);
}

void measure_chunk(const std::string& file,
                   const std::function<void(std::size_t, const PointOutcome&)>& on_outcome) {
    const std::vector<DesignPoint> points = read_chunk(file);
    std::size_t next = 0;
    Job job;
    job.next = [&]() -> std::optional<Task> {
        while (next < points.size() && fs::exists(outcome_file(file, next))) ++next;
        if (next == points.size()) return std::nullopt;
        const std::size_t task = next++;
        return Task{task, task};
    };
    job.point = [&](const Json& recipe) { return points[recipe.get<std::size_t>()]; };
    job.on_outcome = [&](std::size_t id, const PointOutcome& outcome) {
        // A job that is ended has its processes ended one after the other: an apparent crash may be
        // the end of this process, too, a moment later.
        if (outcome.status == PointStatus::kCrashed) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        write_json(outcome_file(file, id), to_json(outcome));
        on_outcome(id, outcome);
    };
    process_worker_pool({})(job);
}

}  // namespace flitscope::study
