// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// As with channels, a report only changes a value and marks its signal; marked signals are compared
// with the file when the cycle is complete. So neither the order of reports nor a repeated value
// matters.
#include "waveforms/inner_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "waveforms/binary_digits.h"

namespace flitscope {

InnerSignals::InnerSignals(const std::string& root) : scopes_{{root, {}, {}}}, index_{{root, 0}} {}

std::uint32_t InnerSignals::declare(const std::string& path, const std::string& name,
                                    std::uint32_t width) {
    if (begun_) throw std::logic_error(path + "." + name + " comes after the first value");
    if (width == 0) throw std::logic_error(path + "." + name + " has no bits");
    const std::uint32_t scope = enter_scope(path);
    if (scope == 0) throw std::logic_error(name + " is in no scope inside " + path);
    const auto number = static_cast<std::uint32_t>(signals_.size());
    scopes_[scope].signals.push_back(number);
    signals_.push_back({name, width, scope, now_.size(), 0});
    now_.append(width, static_cast<char>(Level::kUnknown));
    return number;
}

std::uint32_t InnerSignals::enter_scope(const std::string& path) {
    const auto found = index_.find(path);
    if (found != index_.end()) return found->second;
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) {
        throw std::logic_error("scope " + path + " is not inside " + root().path);
    }
    const std::uint32_t parent = enter_scope(path.substr(0, dot));
    const auto index = static_cast<std::uint32_t>(scopes_.size());
    scopes_.push_back({path, {}, {}});
    scopes_[parent].inside.push_back(index);
    index_.emplace(path, index);
    return index;
}

void InnerSignals::add_view(SignalView view) {
    for (const SignalPart& part : view.parts) {
        if (part.width == 0 || part.lsb + part.width > signals_.at(part.signal).width) {
            throw std::logic_error(part.name + " is not within " + signals_[part.signal].name);
        }
    }
    views_.push_back(std::move(view));
}

std::vector<const SignalView*> InnerSignals::views_of(const std::string& scope) const {
    std::vector<const SignalView*> views;
    for (const SignalView& view : views_) {
        if (view.scope == scope) views.push_back(&view);
    }
    return views;
}

std::string InnerSignals::signal_name(std::uint32_t signal) const {
    return ranged_name(signals_[signal].name, signals_[signal].width);
}

void InnerSignals::check(std::uint32_t signal, std::string_view digits) const {
    const Signal& s = signals_.at(signal);
    if (digits.empty() || digits.size() > s.width) {
        throw std::logic_error(fmt::format("{} has {} bits, not the {} of \"{}\"", s.name, s.width,
                                           digits.size(), digits));
    }
}

void InnerSignals::change(std::uint32_t signal, std::string_view digits) {
    const Signal& s = signals_[signal];
    write_extended(now_.data() + s.digits, s.width, digits);
    if (begun_) touched_.insert(s.rank);
}

void InnerSignals::write_declarations(WaveSink& sink) {
    begun_ = true;
    write_scope(sink, root());
    touched_ = IndexSet(ranked_.size());
}

void InnerSignals::write_scope(WaveSink& sink, const InnerScope& scope) {
    for (const std::uint32_t number : scope.signals) {
        Signal& signal = signals_[number];
        const SignalId id = sink.declare(signal.name, signal.width);
        if (ranked_.empty()) first_ = id;
        signal.rank = static_cast<std::uint32_t>(ranked_.size());
        ranked_.push_back(number);
    }
    for (const std::uint32_t index : scope.inside) {
        const std::string& path = scopes_[index].path;
        sink.open_scope(path.substr(path.rfind('.') + 1));
        write_scope(sink, scopes_[index]);
        sink.close_scope();
    }
}

void InnerSignals::write_everything(WaveSink& sink) {
    for (const std::uint32_t number : ranked_) {
        sink.bits(first_ + signals_[number].rank, value(signals_[number]));
    }
    shown_ = now_;
    touched_.clear();
}

void InnerSignals::write_changes(WaveSink& sink) {
    touched_.for_each([this, &sink](std::uint32_t rank) {
        const Signal& signal = signals_[ranked_[rank]];
        const std::string_view now = value(signal);
        char* const shown = shown_.data() + signal.digits;
        if (std::equal(now.begin(), now.end(), shown)) return;
        std::copy(now.begin(), now.end(), shown);
        sink.bits(first_ + rank, now);
    });
    touched_.clear();
}

void InnerSignals::write_unknown(WaveSink& sink) const {
    constexpr char kUnknown = static_cast<char>(Level::kUnknown);
    for (SignalId i = 0; i < ranked_.size(); ++i) sink.bits(first_ + i, {&kUnknown, 1});
}

}  // namespace flitscope
