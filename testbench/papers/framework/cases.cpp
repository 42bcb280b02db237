// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/framework/cases.h"

#include <fmt/format.h>

#include <stdexcept>

namespace flitscope::reproduce {

const char* word(Finding finding) {
    switch (finding) {
        case Finding::kConfirmed:
            return "confirmed";
        case Finding::kPartly:
            return "partly";
        case Finding::kRefuted:
            return "refuted";
    }
    return "";
}

Cases::Cases(std::initializer_list<bool> holds) {
    for (const bool one : holds) add(one);
}

Cases Cases::of(std::size_t held, std::size_t all) {
    if (held > all) throw std::logic_error("a claim holds in more cases than there are");
    Cases cases;
    cases.held_ = held;
    cases.all_ = all;
    return cases;
}

Cases Cases::most_of(const Cases& cases) { return {2 * cases.held_ > cases.all_}; }

void Cases::add(bool holds) {
    held_ += holds ? 1 : 0;
    ++all_;
}

void Cases::add(const Cases& cases) {
    held_ += cases.held_;
    all_ += cases.all_;
}

Finding Cases::finding() const {
    if (all_ == 0) throw std::logic_error("a claim was asked of no case");
    if (held_ == all_) return Finding::kConfirmed;
    return 2 * held_ >= all_ ? Finding::kPartly : Finding::kRefuted;
}

std::string Cases::text() const { return fmt::format("{} of {}", held_, all_); }

}  // namespace flitscope::reproduce
