// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/explained_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string_view>

namespace flitscope {
namespace {

/// What a stage spends for one cause.
struct CauseTime {
    std::string_view cause;
    sc_core::sc_time time;
    const AccessPart* most = nullptr;
    bool is_elsewhere = false;  // too
};

/// The causes of a stage, in the order in which they come first.
std::vector<CauseTime> causes_of(const ExplainedAccess& access, AccessPart::Stage stage) {
    std::vector<CauseTime> causes;
    for (const AccessPart& part : access.parts) {
        if (part.stage != stage || part.time == sc_core::SC_ZERO_TIME) continue;
        auto cause = std::find_if(causes.begin(), causes.end(), [&](const CauseTime& known) {
            return known.cause == part.cause;
        });
        if (cause == causes.end()) cause = causes.insert(cause, {part.cause, {}, &part, false});
        cause->time += part.time;
        cause->is_elsewhere |= cause->most->channel != part.channel;
        if (part.time > cause->most->time) cause->most = &part;
    }
    return causes;
}

/// Cycles with at most three decimals, so that printed parts add up.
std::string cycles_text(const sc_core::sc_time& time, const sc_core::sc_time& period) {
    std::string text = fmt::format("{:.3f}", time / period);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

/// "head_of_line 10 (link_001_005)"; of the way itself every channel has some.
std::string text_of(const CauseTime& cause, const ExplainedAccess& access) {
    std::string text = fmt::format("{} {}", cause.cause, cycles_text(cause.time, access.period));
    const bool waits = cause.cause != "traversal" && cause.cause != "serialization";
    if (!cause.most->channel || !waits) return text;
    const std::string channel = access.channel_name(*cause.most);
    if (!cause.is_elsewhere) return text + fmt::format(" ({})", channel);
    return text + fmt::format(" ({} at {})", cycles_text(cause.most->time, access.period), channel);
}

void print_stage(std::ostream& out, const ExplainedAccess& access, AccessPart::Stage stage,
                 const std::string& name) {
    const std::vector<CauseTime> causes = causes_of(access, stage);
    sc_core::sc_time all;
    std::string text;
    for (const CauseTime& cause : causes) {
        all += cause.time;
        text += (text.empty() ? "" : ", ") + text_of(cause, access);
    }
    out << fmt::format("  {:<20} {:>8} cycles{}{}\n", name, cycles_text(all, access.period),
                       text.empty() ? "" : ": ", text);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ExplainedAccess& access) {
    out << fmt::format("{}: {} of {} bytes at {:#x}, {} to {}: {} cycles\n",
                       access.issued.to_string(), access.command_name(), access.bytes,
                       access.address, access.initiator_name(), access.target_name(),
                       access.cycles());
    print_stage(out, access, AccessPart::Stage::kRequest,
                fmt::format("request   {} > {}", access.from, access.to));
    print_stage(out, access, AccessPart::Stage::kTarget, "target");
    print_stage(out, access, AccessPart::Stage::kResponse,
                fmt::format("response  {} > {}", access.to, access.from));
    return out;
}

}  // namespace flitscope
