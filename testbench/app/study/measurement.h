// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The measurements of a point.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace flitscope::study {

enum class Measurement : std::uint8_t {
    kAppraisal,   ///< figures without a simulation: cost, bounds (appraisal.h)
    kRun,         ///< one simulation
    kSaturation,  ///< a search for the load above which the backlog grows (saturation.h)
};

inline constexpr std::array kMeasurements{Measurement::kAppraisal, Measurement::kRun,
                                          Measurement::kSaturation};

/// The word for it in studies and databases: appraisal, run, saturation.
const char* name_of(Measurement measurement);
/// Throws std::out_of_range if there is none of that name.
Measurement measurement_of(const std::string& name);

}  // namespace flitscope::study
