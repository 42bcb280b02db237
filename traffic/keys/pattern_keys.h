// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The keys of `traffic` that only patterns have, and queries about patterns.
#pragma once

#include <string>
#include <utility>

#include "models/config/config.h"
#include "models/config/config_table.h"
#include "models/config/traffic_config.h"

namespace flitscope {

/// The condition that `holds` is true of the traffic.
template <class Holds>
Condition traffic(std::string when, Holds holds) {
    return {std::move(when), [holds](const Config& config) -> std::string {
                const TrafficConfig& t = config.traffic;
                if (holds(t)) return "";
                if (!t.schedule.empty()) return "schedule '" + t.schedule + '\'';
                if (!t.pattern.empty()) return "pattern '" + t.pattern + '\'';
                if (!t.program.empty()) return "a program";
                return t.trace.file.empty() ? "" : "a trace";
            }};
}

/// The condition that the traffic is a pattern.
Condition patterns();
/// "pattern `hotspot`", for the patterns that read `traffic.` + `key`.
std::string patterns_reading(const std::string& key);

/// Goes next to `message_bytes`.
ConfigKey message_lengths_key();
/// Classes must exist, every length must have one if lengths have classes, a schedule only one;
/// requests must be single packets if nodes accept a limited number.
void check_classes(RuleContext& context);
/// With traffic.outstanding a node has one queue of requests, of which none is lost.
void check_closed_loop(RuleContext& context);
/// Keys for how much the nodes offer, when, and to which destinations.
ConfigKeys source_keys();

}  // namespace flitscope
