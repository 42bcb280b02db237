// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The CMake component `cci`: values of a configuration as parameters of SystemC CCI (IEEE Std
// 1666.1), for platforms that are configured by a broker. The only header that needs Accellera's
// cci; the library does not.
//
//     flitscope::CciParameters parameters("network", flitscope::load_config("mesh.yaml"));
//     flitscope::Interconnect network("network", parameters.config());
#pragma once

#include <cci_configuration>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/base/diagnostics.h"
#include "models/config/config.h"
#include "models/config/value_named.h"
#include "testbench/app/configuration/configuration.h"

namespace flitscope {

/// Its value is that of the configuration, or the preset of the broker, and does not change.
template <class Value>
using CciParameter = cci::cci_param<Value, cci::CCI_IMMUTABLE_PARAM>;

/// The parameters of an Interconnect, or of a Network, called by its hierarchical name and the key
/// of the configuration: "platform.network.interconnect.outstanding". Construct it where the
/// network is constructed, before it: in the constructor of the same module, or in sc_main().
/// Exists as long as tools are to inspect the values.
class CciParameters {
public:
    /// `name` is that of the network in the module that is under construction, or at the top level
    /// if there is none. A preset that has the wrong type, or that the configuration may not have,
    /// is a ConfigError that names the parameter.
    CciParameters(const std::string& name, const Config& config)
        : prefix_(prefix_of(name)), originator_(originator()), broker_(broker()), config_(config) {
        if (declare(clock_ns, "clock_ns", config_.clock_ns, "period of the clock, ns")) {
            config_.clock_is_synthesized = false;
            require_valid("clock_ns");
        }
        if (!config_.interconnect) return;
        InterconnectConfig& of = *config_.interconnect;
        if (declare(header_bytes, "interconnect.header_bytes", of.header_bytes,
                    "bytes of a request or response beside its data")) {
            require_valid("interconnect.header_bytes");
        }
        if (declare(outstanding, "interconnect.outstanding", of.outstanding,
                    "requests of an initiator that may be under way")) {
            require_valid("interconnect.outstanding");
        }
        declare(dmi, "interconnect.dmi", of.dmi, "direct memory access is passed on");
        if (declare(request_queue, "interconnect.request_queue", of.request_queue,
                    "requests that the targets of a node have at a time; 0: all")) {
            require_valid("interconnect.request_queue");
        }
        std::string word = name_of(of.timing);
        if (declare(timing, "interconnect.timing", word, "exact or annotated")) {
            const auto wanted = value_named(kAccessTimings, word);
            if (!wanted) {
                throw ConfigError(
                    place("interconnect.timing"),
                    "the preset must be \"exact\" or \"annotated\", found \"" + word + '"');
            }
            of.timing = *wanted;
        }
    }

    /// The configuration with the values of the parameters.
    const Config& config() const { return config_; }

    // Those of the section `interconnect` are there if the configuration has it.
    std::optional<CciParameter<double>> clock_ns;
    std::optional<CciParameter<std::uint32_t>> header_bytes;
    std::optional<CciParameter<std::uint32_t>> outstanding;
    std::optional<CciParameter<bool>> dmi;
    std::optional<CciParameter<std::uint32_t>> request_queue;
    std::optional<CciParameter<std::string>> timing;

private:
    static std::string prefix_of(const std::string& name) {
        const sc_core::sc_object* const parent = sc_core::sc_get_current_object();
        return (parent == nullptr ? "" : std::string(parent->name()) + ".") + name + ".";
    }
    static cci::cci_originator originator() {
        const bool is_inside = sc_core::sc_get_current_object() != nullptr;
        return is_inside ? cci::cci_originator() : cci::cci_originator("flitscope");
    }
    cci::cci_broker_handle broker() const {
        const bool is_inside = sc_core::sc_get_current_object() != nullptr;
        return is_inside ? cci::cci_get_broker() : cci::cci_get_global_broker(originator_);
    }

    static const char* wanted(double) { return "a number"; }
    static const char* wanted(std::uint32_t) { return "an integer from 0 to 4294967295"; }
    static const char* wanted(bool) { return "true or false"; }
    static const char* wanted(const std::string&) { return "a word in quotes"; }

    /// Returns whether the value is a preset.
    template <class Value>
    bool declare(std::optional<CciParameter<Value>>& parameter, const char* key, Value& value,
                 const char* meaning) {
        const std::string name = prefix_ + key;
        if (broker_.has_preset_value(name)) {
            const cci::cci_value preset = broker_.get_preset_cci_value(name);
            Value typed{};
            if (!preset.try_get(typed)) {
                throw ConfigError(place(key), std::string("the preset must be ") + wanted(typed) +
                                                  ", found " + preset.to_json());
            }
        }
        parameter.emplace(name, value, broker_, meaning, cci::CCI_ABSOLUTE_NAME, originator_);
        value = parameter->get_value();
        return parameter->is_preset_value();
    }

    /// By the rules of configuration files.
    void require_valid(const std::string& key) const {
        try {
            parse_config(to_yaml(config_), config_.source);
        } catch (const ConfigError& error) {
            std::vector<Diagnostic> findings;
            for (Diagnostic finding : error.findings()) {
                // What else is wrong is for the network to say.
                if (finding.what.find("'" + key + "'") == std::string::npos) continue;
                finding.where = place(key);
                findings.push_back(std::move(finding));
            }
            if (!findings.empty()) throw ConfigError(std::move(findings));
        }
    }
    Location place(const std::string& key) const {
        return {"the CCI parameter " + prefix_ + key, 0, 0};
    }

    std::string prefix_;
    cci::cci_originator originator_;
    cci::cci_broker_handle broker_;
    Config config_;
};

}  // namespace flitscope
