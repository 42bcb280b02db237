// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/study/syntheses.h"

#include <chrono>

#include "testbench/app/study/process_pool.h"
#include "testbench/app/study/worker_pool.h"

namespace flitscope::study {

std::map<std::string, std::string> synthesize_all(
    const std::vector<std::string>& names, const std::function<void(const std::string&)>& work,
    const SynthesesOptions& options) {
    ProcessPool pool(options.processes, [&work](const std::string& name) {
        work(name);
        return Answer{};
    });
    std::map<std::string, std::string> problems;
    std::size_t next = 0;
    std::size_t done = 0;
    while (done < names.size()) {
        if (options.is_cancelled && options.is_cancelled()) throw Cancelled{};
        for (; next < names.size() && pool.has_room(); ++next) {
            pool.start(next, names[next]);
        }
        if (options.on_progress) options.on_progress(done, names.size());
        const auto finished = pool.wait(std::chrono::milliseconds(500));
        if (!finished) continue;
        ++done;
        if (!finished->is_done) problems[names[finished->task]] = finished->text;
    }
    return problems;
}

}  // namespace flitscope::study
