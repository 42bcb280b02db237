// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sizes are compared as floating-point numbers, which do not wrap; the limits are far from values
// for which that could matter.
#include "traffic/program/program_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "models/base/finding_list.h"
#include "models/base/limits.h"
#include "models/config/hardware_config.h"
#include "models/config/node_config.h"
#include "models/config/packet_format.h"
#include "models/fabric/run_control.h"
#include "traffic/program/channel_rules.h"

namespace flitscope {
namespace {

constexpr double kMostPackets = 4294967295.0;
constexpr double kMostFlits = 1e18;  // flits of a program
// Products of flits and the denominator of a rate stay below 2^63.
constexpr double kMostAssembly = 9e18;

}  // namespace

std::vector<Diagnostic> check_limits(const Program& program, const HardwareConfig& config,
                                     const std::function<Location(MessageId)>& locate) {
    const PacketFormat format = config.packet_format();
    const Rate rate = config.node.injection_bandwidth;
    const Cycle end = end_of_time(clock_period_ps(config.clock_ns));
    std::vector<Diagnostic> findings;
    const std::size_t representatives = program.transfers.representatives();
    const double each = static_cast<double>(program.transfers.size()) /
                        static_cast<double>(std::max<std::size_t>(1, representatives));
    double sum = 0;
    for (MessageId id = 0; id < representatives && findings.size() < kMostFindings; ++id) {
        const Transfer& t = program.transfers[id];
        const auto report = [&](std::string what, std::string hint) {
            findings.push_back({locate(id), std::move(what), std::move(hint)});
        };
        const auto bytes = static_cast<double>(t.bytes);
        const double packets =
            format.packet_bytes == 0
                ? 1
                : std::max(1.0, std::ceil(bytes / static_cast<double>(format.packet_bytes)));
        const double flits = packets * (format.header_flits + 1.0) + 8 * bytes / format.flit_bits;
        if (packets >= kMostPackets) {
            report(fmt::format(
                       "a message of {} bytes would be cut into {:.0f} packets, more than {:.0f}",
                       t.bytes, packets, kMostPackets - 1),
                   "raise node.packet_bytes or send less");
        } else if (rate.denominator != rate.numerator && flits * rate.denominator > kMostAssembly) {
            report(
                fmt::format("a message of {} bytes is too long for node.injection_bandwidth {}/{}",
                            t.bytes, rate.numerator, rate.denominator),
                fmt::format("send less, or set a rate with a denominator below {}",
                            rate.denominator));
        }
        if (t.time > kLongTime) {
            report(fmt::format("time {} of message {} is too large", t.time, program.number(id)),
                   fmt::format("0 .. {}", kLongTime));
        } else if (t.time >= end) {
            report(
                fmt::format("message {} begins in cycle {}, which a clock of {} ns never reaches",
                            program.number(id), t.time, config.clock_ns),
                fmt::format("SystemC counts 2^64 ps, {} cycles: begin earlier, or set a smaller "
                            "clock_ns",
                            end));
        }
        sum += each * flits;
        if (sum > kMostFlits && sum - each * flits <= kMostFlits) {
            report("with this message the program would send more than 10^18 flits", "send less");
        }
    }
    return findings;
}

std::vector<Diagnostic> check_playable(const Program& program, const HardwareConfig& config,
                                       const Graph& graph,
                                       const std::function<Location(MessageId)>& locate) {
    std::vector<Diagnostic> all = check_channels(program, config, graph, locate);
    for (Diagnostic& d : check_limits(program, config, locate)) all.push_back(std::move(d));
    return all;
}

}  // namespace flitscope
