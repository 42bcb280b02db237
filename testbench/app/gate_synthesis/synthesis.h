// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The silicon cost of a SystemVerilog router: synthesis with real cells, timing and power, cached
// because it takes from seconds to minutes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "hw/verilated/rtl_variant.h"
#include "models/config/technology_config.h"

namespace flitscope {

constexpr double kUm2PerMm2 = 1e6;

/// The figures that are asked for, and the assumptions.
struct SynthesisConditions : TechnologyConfig {
    SynthesisConditions() = default;
    SynthesisConditions(TechnologyConfig technology) : TechnologyConfig(std::move(technology)) {}

    /// Clock period in ns that power refers to; a circuit that is slower than that gets its power
    /// stated at its own minimum period instead. The circuit itself does not depend on it.
    double period_ns = 4.0;
    double input_activity = 0.2;  ///< transitions per clock cycle on every data input
};

/// Errors to expect of an estimate, as shares of the true values: the largest errors of the known
/// routers when each of them is estimated from the others.
struct EstimateErrors {
    double area = 0;
    double period = 0;
    double power = 0;
    std::size_t known = 0;  ///< routers that the estimate is made of
};

struct SynthesisResult {
    hw::RtlVariant variant;
    SynthesisConditions conditions;
    std::uint64_t cells = 0;
    std::uint64_t flip_flops = 0;  ///< of the cells
    double area_um2 = 0;           ///< sum of the cell areas
    double min_period_ns = 0;      ///< longest path from register or pin to register or pin
    double power_mw = 0;           ///< at power_period_ns
    double power_period_ns = 0;    ///< conditions.period_ns, or more if that is not met
    double seconds = 0;            ///< what the tools took, when they ran
    bool from_cache = false;       ///< the tools did not run now
    std::string library;           ///< name of the library, and in brackets its conditions
    /// "DFFSR (tied: R 1, S 1)": the flip-flops that are used and have pins tied to constants;
    /// empty if there are none.
    std::string tied;
    std::string folder;   ///< netlist, scripts and logs; the tools can be run there again
    std::string netlist;  ///< the mapped Verilog file in it
    /// Set if nothing was synthesized: area, period and power are estimates (router_estimate.h),
    /// and there are no counts and no files.
    std::optional<EstimateErrors> estimated;

    /// The name of the library alone.
    std::string library_name() const { return library.substr(0, library.rfind(" (")); }
    double frequency_mhz() const { return 1000 / min_period_ns; }
};

/// The clock period in ns at which a circuit's power is stated: the one that is asked for, or where
/// the circuit does not meet that its own, rounded up to a tenth.
double power_period_ns(double asked_for_ns, double min_period_ns);

/// The progress of a synthesis.
struct SynthesisProgress {
    std::string variant;     ///< its name
    const char* stage = "";  ///< what runs: "logic synthesis", "timing", "power"
    double seconds = 0;      ///< since the synthesis began
};

/// Called when a stage begins and about every tenth of a second; synthesis stops when it returns
/// false. May be empty.
using SynthesisCallback = std::function<bool(const SynthesisProgress&)>;

/// The callback, or a signal to this process, stopped a synthesis.
class SynthesisInterrupted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The figures of `variant`, from the cache or from yosys, abc and OpenSTA.
///
/// Throws ConfigError when a tool, the library or the RTL is not there or the cache cannot be
/// written, std::runtime_error with the end of its log when a tool fails, and SynthesisInterrupted.
/// SIGINT, SIGTERM and SIGHUP end the tool that runs, remove what is unfinished, and then take
/// their usual way. One call at a time per process; any number of processes may share a cache.
SynthesisResult synthesize(const hw::RtlVariant& variant, const SynthesisConditions& conditions,
                           const SynthesisCallback& on_progress = {});

/// The figures of `variant` if they are in the cache; runs nothing and needs no tools. Throws
/// ConfigError when there is no RTL to look for, or the library is unknown.
std::optional<SynthesisResult> cached_synthesis(const hw::RtlVariant& variant,
                                                const SynthesisConditions& conditions);

}  // namespace flitscope
