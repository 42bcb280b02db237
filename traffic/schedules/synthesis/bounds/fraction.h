// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Exact fractions of natural numbers, for bounds that a certificate has to give to the last digit.
#pragma once

#include <cstdint>
#include <numeric>

namespace flitscope::synthesis {

__extension__ using Wide = unsigned __int128;

struct Fraction {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 1;  ///< not 0

    Fraction reduced() const {
        const std::uint64_t common = std::gcd(numerator, denominator);
        return common == 0 ? *this : Fraction{numerator / common, denominator / common};
    }
    double value() const {
        return static_cast<double>(numerator) / static_cast<double>(denominator);
    }
    friend bool operator<(const Fraction& a, const Fraction& b) {
        return Wide{a.numerator} * b.denominator < Wide{b.numerator} * a.denominator;
    }
    /// times / (the fraction of) per, rounded up.
    std::uint64_t times(std::uint64_t factor, std::uint64_t per = 1) const {
        const Wide whole = Wide{numerator} * factor;
        const Wide parts = Wide{denominator} * per;
        return static_cast<std::uint64_t>((whole + parts - 1) / parts);
    }
};

}  // namespace flitscope::synthesis
