// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/program_flows.h"

namespace flitscope {

Flow ProgramFlows::operator[](std::size_t id) const {
    Flow flow;
    const TransferPlace at = transfers_.place(id);
    flow.source = at.source;
    flow.destination = at.destination;
    flow.flits = format_.message_flits(transfers_.bytes(id));
    flow.begin = begin(id);
    flow.plane = transfers_.plane(id);
    if (first_.empty()) return flow;
    const auto named = first_.find(id);
    if (named != first_.end()) flow.first = named->second;
    return flow;
}

Cycle ProgramFlows::begin(std::size_t id) const {
    if (begins_.empty()) return transfers_.time(id);
    return begins_[id] == kLong ? long_begins_.at(id) : begins_[id];
}

void ProgramFlows::set_begin(std::size_t id, Cycle begin) {
    if (begins_.empty()) {
        std::vector<std::uint32_t> begins(size());
        for (std::size_t i = 0; i < size(); ++i) {
            const Cycle time = transfers_.time(i);
            begins[i] = time < kLong ? static_cast<std::uint32_t>(time) : kLong;
            if (time >= kLong) long_begins_[i] = time;
        }
        begins_ = std::move(begins);
    }
    begins_[id] = begin < kLong ? static_cast<std::uint32_t>(begin) : kLong;
    if (begin >= kLong) long_begins_[id] = begin;
}

void ProgramFlows::set_first(std::size_t id, LinkId first) {
    if (first != kNoLink) first_[id] = first;
}

}  // namespace flitscope
