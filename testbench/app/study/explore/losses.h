// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Why the designs of a study that are not on its front are not there.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "testbench/app/study/explore/database.h"

namespace flitscope::study {

/// The beginning of the reason of a dominated design; the digest of the other design follows.
inline constexpr const char* kDominatedBy = "dominated by ";
/// "time_ns at least 40 against 30": the values of both in an objective, with `bound` before that
/// of the loser.
std::string against_text(const std::string& objective, const std::string& bound, double loser,
                         double winner);

/// A design that is not on the front.
struct Loss {
    const DesignRow* design = nullptr;
    std::string labels;  ///< what_differs(), among all designs of the study
    /// One sentence: which design on the front dominates it, with the values of both in every
    /// objective; by which constraint it is out, with the value; why it could not be measured.
    std::string reason;
    /// Geometric mean, over the objectives, of how many times as good the one that dominates it is;
    /// 0 if it was not measured, or a value is not positive.
    double times = 0;
};

/// The losses among `designs`, in their order; `front` are those of them on the front.
std::vector<Loss> losses(const StudyRow& study, const std::vector<DesignRow>& designs,
                         const std::vector<const DesignRow*>& front);

/// For a front that is printed: all losses if there are at most `most`; else for each label of the
/// first axis that has some and is not on the front one that came nearest to it.
std::vector<Loss> nearest_losses(const std::vector<Loss>& all,
                                 const std::vector<const DesignRow*>& front, std::size_t most);

/// The axes in which all of these designs agree.
std::set<std::string> constant_axes(const std::vector<const DesignRow*>& designs);

/// The labels of a design on the axes in which not all designs agree.
std::string what_differs(const DesignRow& design, const std::set<std::string>& constant);

}  // namespace flitscope::study
