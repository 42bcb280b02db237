// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// All designs of a study: the product of its axes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/config/config_loader.h"
#include "testbench/app/study/explore/study_file.h"

namespace flitscope {
struct Config;
}  // namespace flitscope

namespace flitscope::study {

struct DesignPoint;

/// Which value of every axis.
using Choices = std::vector<std::size_t>;

class Space {
public:
    /// The study must outlive it. Throws ConfigError if the base cannot be read or the product is
    /// larger than 2^63.
    Space(const Study& study, std::string engine);

    std::uint64_t size() const { return size_; }
    /// The first axis varies slowest.
    Choices choices(std::uint64_t index) const;
    /// Labels of a choice: one for every name of every axis.
    std::vector<std::string> labels(const Choices& choices) const;
    /// The largest space of which all designs can be listed.
    static constexpr std::uint64_t kMostListed = 1'000'000;
    /// All designs that the conditions of the study admit, the first axis varying slowest. Throws
    /// ConfigError if there is none.
    std::vector<Choices> wanted() const;
    /// Whether the conditions of the study hold.
    bool is_wanted(const std::vector<std::string>& labels) const;
    /// The point to be measured under a workload. Throws ConfigError with findings at the place of
    /// the error in the study, also for missing files.
    DesignPoint point(const Choices& choices, std::size_t workload) const;
    /// A finding, or a part of one, that names "--set KEY=VALUE" if the study sets KEY: with the
    /// places in the study.
    std::string placed(std::string text, const Choices& choices) const;

private:
    /// An override that a design sets, and its place in the study.
    struct Setting {
        std::string text;  ///< KEY=VALUE
        Location where;
    };
    std::vector<Setting> settings(const Choices& choices) const;
    [[noreturn]] void refuse_conditions() const;
    void require_suited(const Config& config) const;
    static std::string placed(std::string text, const std::vector<Setting>& design);
    Location place_of(const Location& where, const std::vector<Setting>& design) const;

    const Study& study_;
    std::string engine_;
    ConfigParser parse_;  // the base
    std::uint64_t size_ = 1;
};

}  // namespace flitscope::study
