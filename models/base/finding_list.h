// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Collects findings about a source and reports no more than are useful.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope {

inline constexpr std::size_t kMostFindings = 20;

/// What happens to findings beyond the maximum reported.
enum class MoreFindings : std::uint8_t {
    kCount,  ///< the list ends with their number
    kStop,   ///< none follow: reading stops, since one error led to the next
};

class FindingList {
public:
    explicit FindingList(std::string source, MoreFindings more = MoreFindings::kCount,
                         std::size_t most = kMostFindings);

    Location at(std::size_t line, std::size_t column) const { return {source_, line, column}; }
    bool empty() const { return list_.empty(); }
    /// Includes those not reported.
    std::size_t count() const { return list_.size() + more_; }

    /// Throws ConfigError with the whole list if reading is to stop.
    void add(Diagnostic finding);
    void add(std::size_t line, std::size_t column, std::string what, std::string hint = {});
    /// Throws ConfigError with the whole list, if it has any finding.
    void throw_if_any();
    /// The whole list; leaves it empty.
    std::vector<Diagnostic> take();

private:
    std::string source_;
    MoreFindings policy_;
    std::size_t most_;
    std::vector<Diagnostic> list_;
    std::size_t more_ = 0;
    Location more_at_;  // first one not reported, so that their number stays last if sorted
};

}  // namespace flitscope
