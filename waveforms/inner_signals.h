// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The signals inside modules: their nested scopes, their values, and which of them the file does
// not show yet. OccupancyTrace decides at what time they are written.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/fabric/inner_signals.h"
#include "waveforms/index_set.h"
#include "waveforms/wave_sink.h"

namespace flitscope {

struct InnerScope {
    std::string path;                    ///< "fabric.router_005.input_1"
    std::vector<std::uint32_t> signals;  ///< in order of declaration
    std::vector<std::uint32_t> inside;   ///< scopes in this one, in order of first mention
};

/// Signals are numbered in order of declaration, however their scopes are nested. In the file a
/// scope has its own signals first, then the scopes inside.
class InnerSignals {
public:
    /// Puts all scopes inside `root`, which is open in the file when the declarations are written.
    explicit InnerSignals(const std::string& root);

    /// Throws std::logic_error when the scope `path` is not inside the root, when `width` is 0, or
    /// when the file has begun.
    std::uint32_t declare(const std::string& path, const std::string& name, std::uint32_t width);
    /// Throws std::logic_error unless `digits`, as in WaveSink::bits(), are at least one and no
    /// more than the signal is wide.
    void check(std::uint32_t signal, std::string_view digits) const;
    /// `signal` has this value, which fits it, from now on.
    void change(std::uint32_t signal, std::string_view digits);

    void write_declarations(WaveSink& sink);
    void write_everything(WaveSink& sink);
    /// Writes, in the order of the file, the signals whose value is not the one in the file.
    void write_changes(WaveSink& sink);
    void write_unknown(WaveSink& sink) const;

    /// Throws std::logic_error when a part is not within its signal.
    void add_view(SignalView view);
    /// The views of one module, in the order in which they were added.
    std::vector<const SignalView*> views_of(const std::string& scope) const;

    bool empty() const { return signals_.empty(); }
    const InnerScope& root() const { return scopes_.front(); }
    const InnerScope& scope(std::uint32_t index) const { return scopes_[index]; }
    /// The scope that holds a signal.
    const InnerScope& scope_of(std::uint32_t signal) const {
        return scopes_[signals_[signal].scope];
    }
    const std::string& name(std::uint32_t signal) const { return signals_[signal].name; }
    std::uint32_t width(std::uint32_t signal) const { return signals_[signal].width; }
    /// The name as viewers show it: "granted", "data[319:0]".
    std::string signal_name(std::uint32_t signal) const;

private:
    struct Signal {
        std::string name;
        std::uint32_t width = 1;
        std::uint32_t scope = 0;
        std::size_t digits = 0;  // place of its first digit in now_ and shown_
        std::uint32_t rank = 0;  // place in the file
    };

    std::uint32_t enter_scope(const std::string& path);
    void write_scope(WaveSink& sink, const InnerScope& scope);
    std::string_view value(const Signal& signal) const {
        return std::string_view(now_).substr(signal.digits, signal.width);
    }

    std::vector<InnerScope> scopes_;              // the first is the root
    std::map<std::string, std::uint32_t> index_;  // of scopes_, by path
    std::vector<Signal> signals_;
    std::vector<SignalView> views_;
    bool begun_ = false;                 // the file has: declarations are over
    std::vector<std::uint32_t> ranked_;  // signals in the order of the file
    SignalId first_ = 0;                 // of ranked_, in the file
    IndexSet touched_{0};                // ranks to compare with the file
    std::string now_;                    // all digits of all values
    std::string shown_;                  // the same, in the file
};

}  // namespace flitscope
