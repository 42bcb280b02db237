// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/base/finding_list.h"

#include <utility>

namespace flitscope {

FindingList::FindingList(std::string source, MoreFindings more, std::size_t most)
    : source_(std::move(source)), policy_(more), most_(most) {}

void FindingList::add(Diagnostic finding) {
    if (list_.size() == most_) {
        if (more_++ == 0) more_at_ = std::move(finding.where);
        return;
    }
    list_.push_back(std::move(finding));
    if (policy_ == MoreFindings::kCount || list_.size() < most_) return;
    list_.push_back({at(0, 0), "too many errors; the rest of the file was not read", ""});
    throw_if_any();
}

void FindingList::add(std::size_t line, std::size_t column, std::string what, std::string hint) {
    add({at(line, column), std::move(what), std::move(hint)});
}

void FindingList::throw_if_any() {
    if (!empty()) throw ConfigError(take());
}

std::vector<Diagnostic> FindingList::take() {
    if (more_ > 0) list_.push_back({more_at_, std::to_string(more_) + " more of these", ""});
    more_ = 0;
    return std::exchange(list_, {});
}

}  // namespace flitscope
