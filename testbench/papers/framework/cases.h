// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The one rule by which all papers are judged: a claim is tested on cases, and the number of those
// in which it holds decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace flitscope::reproduce {

enum class Finding : std::uint8_t { kConfirmed, kPartly, kRefuted };

/// "confirmed", "partly", "refuted".
const char* word(Finding finding);

/// The cases of a claim, networks, sizes of messages, formulas or parts of a sentence, and those of
/// them in which it holds.
class Cases {
public:
    Cases() = default;
    /// One case for each: the parts of a claim that says several things.
    Cases(std::initializer_list<bool> holds);
    /// `held` out of `all`. Throws std::logic_error if `held` is more than `all`.
    static Cases of(std::size_t held, std::size_t all);
    /// A claim about most of some cases is one case: whether it holds in more than half of them.
    static Cases most_of(const Cases& cases);

    void add(bool holds);
    void add(const Cases& cases);

    std::size_t held() const { return held_; }
    std::size_t all() const { return all_; }

    /// Confirmed if the claim holds in all cases, partly if it does in at least half of them,
    /// refuted otherwise. Half is enough so that a claim in two parts with one true is partly
    /// right. Without a case there is nothing to decide; throws std::logic_error.
    Finding finding() const;
    /// "10 of 12".
    std::string text() const;

private:
    std::size_t held_ = 0;
    std::size_t all_ = 0;
};

}  // namespace flitscope::reproduce
