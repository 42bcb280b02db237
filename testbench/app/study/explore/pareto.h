// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which of several designs are better than all others in some way. All objectives are minimised
// here: those to be maximised come with their sign turned.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace flitscope::study {

using Objectives = std::vector<double>;  ///< objectives of one design

/// `a` is no worse than `b` in any objective, and better in one.
bool dominates(const Objectives& a, const Objectives& b);
/// Whether `a` dominates the as many consecutive values from `b` on.
bool dominates(const Objectives& a, const double* b);

/// The designs that no other one dominates, by index in ascending order. Of equal designs all stay.
std::vector<std::size_t> pareto_front(const std::vector<Objectives>& designs);

/// The front of what was added so far.
class Front {
public:
    struct Member {
        std::size_t id;
        Objectives objectives;
    };

    void add(std::size_t id, const Objectives& objectives);
    /// A member of the front that dominates `objectives`, if any.
    std::optional<std::size_t> dominator(const Objectives& objectives) const;
    const std::vector<Member>& members() const { return members_; }

private:
    std::vector<Member> members_;
};

}  // namespace flitscope::study
