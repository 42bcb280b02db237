// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The remedy for an unknown word, with the same wording everywhere.
#pragma once

#include <string>
#include <vector>

namespace flitscope {

/// "did you mean 'near'?"; `otherwise` if `near` is empty, as nearest() is when nothing is near.
std::string did_you_mean(const std::string& near, const std::string& otherwise);

/// The same for several candidates: "did you mean 'a', 'b' or 'c'?".
std::string did_you_mean(const std::vector<std::string>& near, const std::string& otherwise);

/// Like did_you_mean(), with all choices after it: "did you mean 'near'? choices: a, b", or only
/// "choices: a, b".
std::string did_you_mean_of(const std::string& near, const std::string& title,
                            const std::vector<std::string>& all);

}  // namespace flitscope
