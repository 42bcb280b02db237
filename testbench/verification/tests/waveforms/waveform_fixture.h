// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For the waveform tests: readers of VCD, FST and save files, recorded channel events that can be
// played in any order within a cycle, and a random fabric with the right value of every signal.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "models/base/types.h"
#include "models/config/config.h"
#include "models/fabric/observers.h"
#include "models/topology/channel_map.h"
#include "models/topology/graph.h"
#include "waveforms/occupancy_trace.h"

namespace flitscope::testing {

inline std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The text of a VCD as values over time, by full name ("fabric.links.link_000_001.source[1:0]").
struct Vcd {
    std::map<std::string, std::uint32_t> widths;
    std::map<std::string, std::map<std::uint64_t, std::string>> changes;
    std::vector<std::uint64_t> times;

    explicit Vcd(const std::string& text) {
        std::map<std::string, std::string> names;
        std::vector<std::string> scopes;
        std::istringstream in(text);
        std::string word;
        while (in >> word) {
            if (word == "$scope") {
                std::string kind, name;
                in >> kind >> name;
                scopes.push_back(name);
            } else if (word == "$upscope") {
                scopes.pop_back();
            } else if (word == "$var") {
                std::string kind, width, id, part;
                in >> kind >> width >> id;
                std::string name;
                for (const std::string& scope : scopes) name += scope + ".";
                while (in >> part && part != "$end") name += part;
                if (!names.try_emplace(id, name).second) continue;  // by its words, in an FST
                widths[name] = static_cast<std::uint32_t>(std::stoul(width));
                continue;
            } else if (word[0] == '#') {
                times.push_back(std::stoull(word.substr(1)));
                continue;
            } else if (word == "$dumpvars" || word == "$end") {
                continue;
            } else if (word[0] == 'b') {
                std::string id;
                in >> id;
                set(names.at(id), word.substr(1));
                continue;
            } else if (word[0] != '$') {
                set(names.at(word.substr(1)), word.substr(0, 1));
                continue;
            }
            while (word != "$end") in >> word;
        }
    }

    /// "z", "x" or a decimal number; as many digits as needed after "b" if a number has some of
    /// each or more than 64.
    static std::string readable(std::string digits) {
        const auto extension = [](char first) { return first == '1' ? '0' : first; };
        while (digits.size() > 1 && extension(digits[1]) == digits[0]) digits.erase(0, 1);
        if (digits == "x" || digits == "z") return digits;
        if (digits.size() > 64 || digits.find_first_not_of("01") != std::string::npos) {
            return "b" + digits;
        }
        return std::to_string(std::stoull(digits, nullptr, 2));
    }

    /// readable() value of `name` at `time`.
    std::string at(const std::string& name, std::uint64_t time) const {
        const auto& values = changes.at(name);
        const auto after = values.upper_bound(time);
        return after == values.begin() ? "none" : std::prev(after)->second;
    }

private:
    void set(const std::string& name, const std::string& digits) {
        changes[name][times.back()] = readable(digits);
    }
};

struct Event {
    enum class Kind { kLoss, kSendEnd, kRelease, kGrant, kSendBegin };  // order within a cycle
    Kind kind = Kind::kGrant;
    ChannelId channel = 0;
    std::uint32_t vc = 0;
    Cycle cycle = 0;
    Message message;
    ChannelId popped = 0;
    std::uint32_t popped_vc = 0;
    Cycle visible = 0;  // of a loss
};

inline void play(const std::vector<Event>& events, ChannelObserver& observer) {
    for (const Event& e : events) {
        switch (e.kind) {
            case Event::Kind::kLoss:
                observer.on_loss(e.channel, e.vc, e.visible, e.cycle);
                break;
            case Event::Kind::kSendEnd:
                observer.on_send_end(e.channel, e.vc, e.cycle);
                break;
            case Event::Kind::kRelease:
                observer.on_release(e.channel, e.vc, e.cycle);
                break;
            case Event::Kind::kGrant:
                observer.on_grant(e.channel, e.vc, e.message, e.cycle);
                break;
            case Event::Kind::kSendBegin:
                observer.on_send_begin(e.channel, e.vc, e.popped, e.popped_vc, e.cycle);
                break;
        }
    }
}

/// The same events, those of different channels of one cycle in another order.
inline std::vector<Event> permuted(std::vector<Event> events, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    auto first = events.begin();
    while (first != events.end()) {
        auto last = first;
        while (last != events.end() && last->cycle == first->cycle) ++last;
        std::map<std::pair<ChannelId, std::uint32_t>, std::uint64_t> rank;
        for (auto e = first; e != last; ++e) rank[{e->channel, e->vc}] = 0;
        for (auto& entry : rank) entry.second = random();
        std::stable_sort(first, last, [&](const Event& a, const Event& b) {
            return rank[{a.channel, a.vc}] < rank[{b.channel, b.vc}];
        });
        first = last;
    }
    return events;
}

/// Channels that are granted, send and are released at random, subject to what their FIFOs hold,
/// and now and then lose some of it: not a network, but every event sequence that the observer's
/// contract allows. Signals are computed cycle by cycle from their definition.
class RandomFabric {
public:
    struct State {
        bool busy = false;
        std::optional<Message> owner;
        std::uint32_t buffered = 0;
        std::uint32_t in_flight = 0;  ///< flits sent before this cycle, taken out in no earlier one
    };

    RandomFabric(const Graph& graph, std::uint32_t virtual_channels, std::uint32_t router_delay,
                 std::uint32_t depth, std::uint64_t seed)
        : graph_(graph),
          channels_(graph),
          vcs_(virtual_channels),
          router_delay_(router_delay),
          depth_(depth),
          random_(seed),
          slots_(std::size_t{channels_.count()} * virtual_channels) {}

    void run(Cycle cycles) {
        for (Cycle t = 0; t < cycles; ++t) {
            if (chance(1, 20)) lose(t);
            record_buffered();
            std::vector<std::size_t> pops;
            for (ChannelId channel = 0; channel < channels_.count(); ++channel) {
                std::uint32_t sender = vcs_;  // at most one virtual channel of a channel sends
                if (chance(3, 4)) sender = static_cast<std::uint32_t>(random_() % vcs_);
                for (std::uint32_t vc = 0; vc < vcs_; ++vc)
                    step(channel, vc, t, vc == sender, pops);
            }
            for (const std::size_t fifo : pops) slots_[fifo].visible.pop_front();
        }
    }

    const std::vector<Event>& events() const { return events_; }
    const State& at(ChannelId channel, std::uint32_t vc, Cycle t) const {
        return history_[t][std::size_t{channel} * vcs_ + vc];
    }

private:
    struct Slot {
        std::optional<Message> owner;
        std::optional<std::size_t> popping;  // slot whose FIFO the owner's flits come from
        bool claimed = false;                // this FIFO's front packet owns an output
        bool sending = false;
        std::deque<Cycle> visible;  // from when each flit in flight or in the FIFO is seen
    };

    bool chance(std::uint64_t numerator, std::uint64_t denominator) {
        return random_() % denominator < numerator;
    }

    /// Half of all flits under way.
    void lose(Cycle t) {
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            std::deque<Cycle> left;
            for (const Cycle visible : slots_[i].visible) {
                if (chance(1, 2)) {
                    left.push_back(visible);
                    continue;
                }
                Event event{Event::Kind::kLoss,
                            static_cast<ChannelId>(i / vcs_),
                            static_cast<std::uint32_t>(i % vcs_),
                            t,
                            {}};
                event.visible = visible;
                events_.push_back(event);
            }
            slots_[i].visible = left;
        }
    }

    void record_buffered() {
        const Cycle t = history_.size();
        history_.emplace_back(slots_.size());
        for (std::size_t i = 0; i < slots_.size(); ++i) {
            for (const Cycle from : slots_[i].visible) history_[t][i].buffered += from <= t;
            history_[t][i].in_flight = static_cast<std::uint32_t>(slots_[i].visible.size());
        }
    }

    void step(ChannelId channel, std::uint32_t vc, Cycle t, bool may_send,
              std::vector<std::size_t>& pops) {
        const std::size_t index = std::size_t{channel} * vcs_ + vc;
        Slot& slot = slots_[index];
        const bool was_sending = slot.sending;
        bool ended = false;
        const auto emit = [&](Event::Kind kind) {
            Event event{kind, channel, vc, t, {}, channel, vc};
            if (slot.owner) event.message = *slot.owner;
            if (slot.popping) {
                event.popped = static_cast<ChannelId>(*slot.popping / vcs_);
                event.popped_vc = static_cast<std::uint32_t>(*slot.popping % vcs_);
            }
            events_.push_back(event);
        };
        if (slot.owner && chance(1, 9)) {
            if (was_sending) emit(Event::Kind::kSendEnd);
            ended = true;
            emit(Event::Kind::kRelease);
            if (slot.popping) slots_[*slot.popping].claimed = false;
            slot.owner.reset();
            slot.popping.reset();
        }
        const bool granted = !slot.owner && chance(1, 3) && grant(channel, slot);
        bool sends = slot.owner && may_send && !chance(1, 12);
        if (sends && slot.popping) {
            const auto& fifo = slots_[*slot.popping].visible;
            sends = !fifo.empty() && fifo.front() <= t;
        }
        if (!channels_.is_ejection(channel)) sends = sends && slot.visible.size() < depth_;
        if (was_sending && !sends && !ended) emit(Event::Kind::kSendEnd);
        if (granted) emit(Event::Kind::kGrant);
        if (sends && (!was_sending || ended)) emit(Event::Kind::kSendBegin);
        if (sends && slot.popping) pops.push_back(*slot.popping);
        if (sends && !channels_.is_ejection(channel)) {
            const Cycle wire = channels_.is_link(channel) ? graph_.link(channel).delay : 0;
            slot.visible.push_back(t + router_delay_ + wire);
        }
        slot.sending = sends;
        history_[t][index].busy = sends;
        history_[t][index].owner = slot.owner;
    }

    bool grant(ChannelId channel, Slot& slot) {
        if (!channels_.is_injection(channel)) {
            const RouterId router =
                channels_.is_link(channel) ? graph_.link(channel).from : channels_.router(channel);
            std::vector<std::size_t> inputs;
            for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
                for (PortId port = 0; port < graph_.port_count(); ++port) {
                    const ChannelId in = channels_.into(router, port);
                    if (in != kNoChannel) inputs.push_back(std::size_t{in} * vcs_ + vc);
                }
            }
            const std::size_t chosen = inputs[random_() % inputs.size()];
            if (slots_[chosen].claimed) return false;
            slots_[chosen].claimed = true;
            slot.popping = chosen;
        }
        // Few different messages, so that consecutive owners are sometimes equal.
        const auto id = static_cast<MessageId>(random_() % 5);
        const NodeId nodes = graph_.node_count();
        slot.owner = Message{id, id % nodes, (id + 1) % nodes, id / 2, 64};
        return true;
    }

    const Graph& graph_;
    ChannelMap channels_;
    std::uint32_t vcs_;
    std::uint32_t router_delay_;
    std::uint32_t depth_;
    std::mt19937_64 random_;
    std::vector<Slot> slots_;
    std::vector<Event> events_;
    std::vector<std::vector<State>> history_;
};

/// In the VCD `text` no value is written twice in a row, those of one time in order of declaration.
/// Returns the number of signals.
inline std::size_t expect_changes_in_order(const std::string& text) {
    std::istringstream lines(text);
    std::map<std::string, std::size_t> order;
    std::map<std::string, std::string> values;
    std::string line;
    bool stamp = false;
    std::size_t last = 0;
    while (std::getline(lines, line)) {
        if (line.rfind("$var", 0) == 0) {
            std::istringstream words(line);
            std::string word, id;
            words >> word >> word >> word >> id;
            order.emplace(id, order.size() + 1);
        } else if (line[0] == '#') {
            EXPECT_FALSE(stamp) << "a time stamp without a change before " << line;
            stamp = true;
            last = 0;
        } else if (!values.empty() || stamp) {
            if (line[0] == '$') continue;
            const std::size_t space = line.find(' ');
            const std::size_t cut = space == std::string::npos ? 1 : space + 1;
            const std::string id = line.substr(cut);
            EXPECT_GT(order.at(id), last) << line;
            last = order.at(id);
            EXPECT_NE(std::exchange(values[id], line.substr(0, cut)), line.substr(0, cut)) << line;
            stamp = false;
        }
    }
    return values.size();
}

/// A folder for the files of one test, and functions to make and read them.
class Waveform : public ::testing::Test {
protected:
    Waveform() {
        folder_ = std::filesystem::path(::testing::TempDir()) / "waveform";
        std::filesystem::create_directories(folder_);
        config_.source = "test.yaml";
        config_.trace.details = true;
    }
    ~Waveform() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    /// The names of all files there are.
    std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            names.insert(entry.path().filename().string());
        }
        return names;
    }

    /// The file that results from `events`, closed at `end`.
    std::string trace(const Graph& graph, const std::vector<Event>& events, Cycle end,
                      const std::string& name = "t.vcd") {
        const auto trace = open_trace(path(name), config_, graph);
        play(events, *trace);
        trace->close(end);
        return read_file(path(name));
    }

    /// The same trace through FST and fst2vcd.
    Vcd trace_fst(const Graph& graph, const std::vector<Event>& events, Cycle end) {
        trace(graph, events, end, "t.fst");
        return Vcd(read_fst("t.fst"));
    }

    /// The file `name` as fst2vcd sees it.
    std::string read_fst(const std::string& name) {
        const std::string command = "fst2vcd -f " + path(name) + " -o " + path("from_fst.vcd");
        EXPECT_EQ(std::system((command + " >/dev/null 2>&1").c_str()), 0);
        return read_file(path("from_fst.vcd"));
    }

    std::filesystem::path folder_;
    Config config_;
};

/// Full names of the signals in a save file; checks that groups are balanced.
inline std::vector<std::string> saved_signals(const std::string& text) {
    std::vector<std::string> names;
    std::vector<std::string> groups;
    std::istringstream lines(text);
    std::string flags;
    for (std::string line; std::getline(lines, line);) {
        if (line[0] == '@') {
            flags = line;
        } else if (line[0] == '+') {
            names.push_back(line.substr(line.find('}') + 2));
        } else if (line[0] == '-' && (flags == "@800200" || flags == "@c00200")) {
            groups.push_back((flags == "@800200" ? "open" : "closed") + line);
        } else if (line[0] == '-' && (flags == "@1000200" || flags == "@1401200")) {
            EXPECT_FALSE(groups.empty()) << line;
            if (groups.empty()) break;
            EXPECT_EQ(groups.back(), (flags == "@1000200" ? "open" : "closed") + line);
            groups.pop_back();
        }
    }
    EXPECT_THAT(groups, ::testing::IsEmpty());
    return names;
}

}  // namespace flitscope::testing
