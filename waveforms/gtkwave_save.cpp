// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The format is that of GTKWave 3.3 (its savefile.c); the meaning of the numbers was found by
// loading files and looking at the screen.
#include "waveforms/gtkwave_save.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/output_file.h"
#include "models/base/printable.h"
#include "models/topology/graph.h"
#include "waveforms/channel_groups.h"
#include "waveforms/gtkwave_filters.h"

namespace flitscope {

namespace {

// Row formats and group marks ("@" lines, hexadecimal): 0x08 binary, 0x04 decimal, 0x02
// hexadecimal, 0x20 right aligned, 0x200 a row without a signal, 0x800000 and 0x1000000 group begin
// and end, 0x400000 closed, 0x1000 hidden by a closed group, 0x2000 with the texts of a translate
// filter, 0x8000 a staircase of numbers, 0x80000 scaled to their range in the whole trace, 0x20000
// more height for the row above.
constexpr const char* kBinary = "@28";
constexpr const char* kDecimal = "@24";
constexpr const char* kHexadecimal = "@22";
constexpr const char* kTranslated = "@2024";
constexpr const char* kStaircase = "@88024";
constexpr const char* kMoreHeight = "@20000";
constexpr const char* kComment = "@200";
constexpr const char* kOpenBegin = "@800200";
constexpr const char* kOpenEnd = "@1000200";
constexpr const char* kClosedBegin = "@c00200";
constexpr const char* kClosedEnd = "@1401200";

constexpr int kRed = 1;
constexpr int kOrange = 2;
constexpr int kYellow = 3;
constexpr int kGreen = 4;

/// The first groups are open, up to this many channels.
constexpr std::size_t kOpenChannels = 256;
/// The tree of signals shows up to this many channels.
constexpr std::size_t kTreeChannels = 32;
/// Additional rows of height of a staircase.
constexpr int kStairRows = 1;
/// Up to this many dimensions the overview shows each expanded.
constexpr std::size_t kOpenDimensions = 2;
/// GTKWave takes seconds to load tens of thousands of rows; the rest is in its signal tree.
constexpr std::size_t kListedChannels = 2048;
constexpr std::size_t kListedInnerSignals = 16384;
/// Each bit of a view is a name in the file.
constexpr std::size_t kViewedBits = 16384;
/// Up to this many routers each has its own row.
constexpr std::size_t kOpenRouters = 8;

/// Maximum channels of the path in its group; maximum stays at one place with a marker (GTKWave has
/// at least 26); and the minimum part of the path for such a stay.
constexpr std::size_t kPathChannels = 12;
constexpr std::size_t kPathMarkers = 9;
constexpr Cycle kPathParts = 100;
constexpr std::size_t kMarkers = 26;
/// Links in the group of those that are blocked longest.
constexpr std::size_t kBlockedLinks = 8;

constexpr int kWindowWidth = 1600;
constexpr int kWindowHeight = 900;
constexpr int kTreeWidth = 250;
constexpr int kNamesWidth = 195;
constexpr int kBordersWidth = 110;

class SaveFile {
public:
    SaveFile(const OccupancyFile& trace, const std::optional<NodeLoads::Range>& loads)
        : trace_(trace), loads_(loads) {
        for (const TracedScope& scope : trace.scopes()) total_ += !scope.virtual_channel;
    }

    std::string text(const std::string& trace_name) {
        write_header(trace_name);
        write_path();
        write_most_blocked();
        write_overview();
        write_routers();
        std::size_t shown = 0;
        std::size_t listed = 0;
        for (ChannelGroup& group : channel_groups(trace_)) {
            const std::size_t room = kListedChannels - listed;
            if (group.channels.size() > room) group.channels.resize(room);
            if (group.channels.empty()) break;
            const bool open = shown < kOpenChannels;
            if (open) shown += group.channels.size();
            listed += group.channels.size();
            write_group(group, open);
        }
        if (listed < total_) {
            line(kComment);
            line(fmt::format("-{} more channels: see the tree", total_ - listed));
        }
        line("[pattern_trace] 1");
        line("[pattern_trace] 0");
        return std::move(text_);
    }

private:
    void line(std::string_view text) {
        text_ += text;
        text_ += '\n';
    }

    void write_header(const std::string& trace_name) {
        const std::uint64_t ticks = trace_.last_tick() - trace_.first_tick();
        line("[*] flitscope: occupancy of " + printable(trace_.graph().description()));
        // GTKWave opens the trace at the place that it has relative to the save file, wherever the
        // two are now and whatever folder it is called from; it needs both names for that.
        line(fmt::format("[dumpfile] \"{}\"", trace_name));
        line(fmt::format("[savefile] \"{}\"", gtkwave_save_path(trace_name)));
        line(fmt::format("[timestart] {}", trace_.first_tick()));
        line(fmt::format("[size] {} {}", kWindowWidth, kWindowHeight));
        line("[pos] -1 -1");
        filter_ = owner_filter_path(trace_name);
        causes_ = cause_filter_path(trace_name);
        channel_names_ = channel_filter_path(trace_name);
        buffered_ = buffered_filter_path(trace_name);
        const std::vector<Stay> stays = longest_stays();
        std::string markers;
        for (std::size_t i = 0; i < kMarkers; ++i) {
            const bool is_set = i < stays.size();
            markers += is_set ? fmt::format(" {}", trace_.ticks(stays[i].from)) : " -1";
        }
        line(fmt::format("*{:.6f} {}{}", zoom(ticks), trace_.first_tick(), markers));
        for (std::size_t i = 0; i < stays.size(); ++i) {
            line(fmt::format("[markername] {}{} {}", static_cast<char>('A' + i), stays[i].place,
                             stays[i].length()));
        }
        line("[treeopen] fabric.");
        if (total_ <= kTreeChannels) line("[treeopen] fabric.links.");
        line(fmt::format("[sst_width] {}", kTreeWidth));
        line(fmt::format("[signals_width] {}", kNamesWidth));
        line("[sst_expanded] 1");
        line("[sst_vpaned_height] 300");
    }

    /// GTKWave shows 2^-zoom ticks per 200 pixels.
    static double zoom(std::uint64_t ticks) {
        const double frames = (kWindowWidth - kTreeWidth - kNamesWidth - kBordersWidth) / 200.0;
        return -std::log2(std::max(1.0, static_cast<double>(ticks)) / frames);
    }

    static std::string last_part(const std::string& path) {
        return path.substr(path.rfind('.') + 1);
    }

    /// "link_005_007"
    static std::string name_of(const ChannelScopes& channel) {
        return last_part(channel.whole->path);
    }

    void begin_group(const std::string& title, bool open) {
        line(open ? kOpenBegin : kClosedBegin);
        line("-" + title);
    }
    void end_group(const std::string& title, bool open) {
        line(open ? kOpenEnd : kClosedEnd);
        line("-" + title);
    }

    void write_overview() {
        for (const OverviewScope& scope : trace_.overview_scopes()) {
            const std::size_t index =
                static_cast<std::size_t>(&scope - trace_.overview_scopes().data());
            const bool open = index == 0 || trace_.overview_scopes().size() <= kOpenDimensions + 1;
            begin_group(scope.title, open);
            if (index == 0) write_loads();
            for (const std::string& signal : scope.signals) {
                const bool is_step = signal.find("step") != std::string::npos;
                const bool is_blocked = signal.find("blocked") != std::string::npos;
                line(is_step ? kDecimal : kStaircase);
                if (!is_step) line(fmt::format("[color] {}", is_blocked ? kOrange : kYellow));
                std::string label = signal.substr(0, signal.find('['));
                std::replace(label.begin(), label.end(), '_', ' ');
                line(fmt::format("+{{{}}} {}.{}", label, scope.path, signal));
                for (int row = 0; !is_step && row < kStairRows; ++row) {
                    line(kMoreHeight);
                    line("-");
                }
            }
            end_group(scope.title, open);
        }
    }

    /// Writes which nodes the network accepts least and most flits from, per cycle of the window.
    void write_loads() {
        if (!loads_) return;
        for (const auto& [kind, load] :
             {std::pair("least", loads_->least), std::pair("most", loads_->most)}) {
            line(kComment);
            line(fmt::format("-{} accepted: {:.3f} node {}", kind, load.rate, load.node));
        }
    }

    /// Cycles of the path in a row at one place.
    struct Stay {
        std::string place;  // a channel; inside a node the cause
        Cycle from = 0;
        Cycle to = 0;
        Cycle length() const { return to - from; }
    };

    /// The longest first; equal ones in order.
    std::vector<Stay> longest_stays() const {
        const ChannelMap channels(trace_.graph());
        std::vector<Stay> stays;
        for (const PathMark& mark : trace_.path().marks()) {
            const std::string place = mark.channel ? channels.name(*mark.channel)
                                                   : trace_.path().causes()[mark.cause].name;
            if (!stays.empty() && stays.back().to == mark.from && stays.back().place == place) {
                stays.back().to = mark.to;
            } else {
                stays.push_back({place, mark.from, mark.to});
            }
        }
        std::stable_sort(stays.begin(), stays.end(),
                         [](const Stay& a, const Stay& b) { return a.length() > b.length(); });
        Cycle all = 0;
        for (const PathMark& mark : trace_.path().marks()) all += mark.length();
        while (!stays.empty() && stays.back().length() * kPathParts < all) stays.pop_back();
        stays.resize(std::min(stays.size(), kPathMarkers));
        return stays;
    }

    using ScopeCycles = std::vector<std::pair<const TracedScope*, Cycle>>;

    /// At most `most` of them, those with the most cycles first; equal ones in order.
    static ScopeCycles longest(ScopeCycles scopes, std::size_t most) {
        std::stable_sort(scopes.begin(), scopes.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        scopes.resize(std::min(scopes.size(), most));
        return scopes;
    }

    /// Writes rows for the cause and the channel of the path, and for the channels with most of it,
    /// each with its critical cycles.
    void write_path() {
        if (trace_.path().causes().empty()) return;
        const std::string title = "critical path";
        begin_group(title, true);
        const std::vector<std::string> signals = trace_.path_signals();
        line(kTranslated);
        line("^1 " + causes_);
        line(fmt::format("+{{cause}} {}.{}", kPathScope, signals[0]));
        line(kTranslated);
        line("^1 " + channel_names_);
        line(fmt::format("+{{channel}} {}.{}", kPathScope, signals[1]));
        line(kDecimal);
        line(fmt::format("+{{message}} {}.{}", kPathScope, signals[2]));
        std::map<ChannelId, Cycle> cycles;
        for (const PathMark& mark : trace_.path().marks()) {
            if (mark.channel) cycles[*mark.channel] += mark.length();
        }
        ScopeCycles on_path;
        for (const TracedScope& scope : trace_.scopes()) {
            const auto found = cycles.find(scope.channel);
            if (scope.has_critical && found != cycles.end()) {
                on_path.emplace_back(&scope, found->second);
            }
        }
        for (const auto& [scope, share] : longest(on_path, kPathChannels)) {
            write_owner(*scope, last_part(scope->path));
            write_critical(*scope, fmt::format("critical {}", share));
        }
        end_group(title, true);
    }

    /// Writes the links that packets hold longest without sending, with that share of the window.
    void write_most_blocked() {
        ScopeCycles links;
        for (const TracedScope& scope : trace_.scopes()) {
            const Cycle blocked = trace_.blocked_cycles(scope);
            if (blocked != 0) links.emplace_back(&scope, blocked);
        }
        if (links.size() <= kBlockedLinks) return;  // all are listed below
        const std::uint64_t window = trace_.last_tick() - trace_.first_tick();
        const std::string title = "most blocked links";
        begin_group(title, true);
        for (const auto& [scope, blocked] : longest(links, kBlockedLinks)) {
            write_owner(*scope, fmt::format("{} {:.0f}%", last_part(scope->path),
                                            100.0 * static_cast<double>(trace_.ticks(blocked)) /
                                                static_cast<double>(window)));
        }
        end_group(title, true);
    }

    void write_critical(const TracedScope& scope, const std::string& label) {
        line(kTranslated);
        line("^1 " + causes_);
        line(fmt::format("+{{{}}} {}.{}", label, scope.path, trace_.critical_name()));
    }

    /// Writes a row for each channel; after them, out of the way, further signals.
    void write_group(const ChannelGroup& group, bool open) {
        begin_group(group.title, open);
        const bool has_lines = group.channels.front().line != group.channels.back().line;
        const ChannelScopes* before = nullptr;
        for (const ChannelScopes& channel : group.channels) {
            if (has_lines && (before == nullptr || before->line != channel.line)) {
                write_line_title(channel);
            }
            write_owner(*channel.whole, name_of(channel));
            before = &channel;
        }
        const std::string title = group.title + ": details";
        begin_group(title, false);
        for (const ChannelScopes& channel : group.channels) write_details(channel);
        end_group(title, false);
        end_group(group.title, open);
    }

    void write_line_title(const ChannelScopes& first) {
        const Graph& graph = trace_.graph();
        const Link& link = graph.link(first.whole->channel);
        line(kComment);
        std::string place;
        for (std::uint32_t dimension = 0; dimension < graph.dims().size(); ++dimension) {
            if (!place.empty()) place += ", ";
            place += dimension == link.dimension
                         ? "*"
                         : std::to_string(graph.coordinate(link.from, dimension));
        }
        line(fmt::format("-{}s ({})", graph.places().router_word(), place));
    }

    void write_owner(const TracedScope& scope, const std::string& name) {
        line(kTranslated);
        line("^1 " + filter_);
        write_signal(scope, ChannelSignal::kOwner, name, 0);
    }

    void write_details(const ChannelScopes& channel) {
        const std::string name = name_of(channel);
        write_states(*channel.whole, name);
        if (channel.whole->has_critical) write_critical(*channel.whole, name + " critical");
        write_packet(*channel.whole, name);
        for (std::size_t vc = 0; vc < channel.virtual_channels.size(); ++vc) {
            const std::string vc_name = fmt::format("{} vc{}", name, vc);
            begin_group(vc_name, false);
            write_owner(*channel.virtual_channels[vc], vc_name);
            write_states(*channel.virtual_channels[vc], vc_name);
            write_packet(*channel.virtual_channels[vc], vc_name);
            end_group(vc_name, false);
        }
    }

    /// The place for further channel states, besides busy and blocked.
    void write_states(const TracedScope& scope, const std::string& name) {
        line(kBinary);
        write_signal(scope, ChannelSignal::kBusy, name + " busy", kGreen);
        write_signal(scope, ChannelSignal::kBlocked, name + " blocked", kRed);
    }

    void write_packet(const TracedScope& scope, const std::string& name) {
        constexpr std::pair<ChannelSignal, const char*> kFields[] = {
            {ChannelSignal::kSource, "source"},
            {ChannelSignal::kDestination, "destination"},
            {ChannelSignal::kMessage, "message"},
            {ChannelSignal::kStep, "step"},
            {ChannelSignal::kBuffered, "buffered"}};
        line(kDecimal);
        for (const auto& [signal, label] : kFields) {
            if (static_cast<std::uint32_t>(signal) >= scope.signals) continue;
            if (signal == ChannelSignal::kBuffered && is_overfull(trace_)) {
                line(kTranslated);
                line("^1 " + buffered_);
            }
            write_signal(scope, signal, name + " " + label, 0);
        }
    }

    /// A closed group for every module with inner signals, above the channels, to be visible; many
    /// are enclosed in one group.
    void write_routers() {
        const std::vector<std::uint32_t>& routers = trace_.inner().root().inside;
        const bool many = routers.size() > kOpenRouters;
        if (many) begin_group("routers", false);
        std::size_t written = 0;
        for (; written < routers.size() && inner_listed_ < kListedInnerSignals; ++written) {
            const InnerScope* scope = &trace_.inner().scope(routers[written]);
            const std::string name = last_part(scope->path);
            // A router whose only content is the top module of its description needs one group.
            while (scope->signals.empty() && scope->inside.size() == 1) {
                scope = &trace_.inner().scope(scope->inside.front());
            }
            begin_group(name, false);
            write_views(trace_.inner().scope(routers[written]));
            write_content(*scope, name);
            end_group(name, false);
        }
        if (written < routers.size()) {
            line(kComment);
            line(fmt::format("-{} more routers: see the tree", routers.size() - written));
        }
        if (many) end_group("routers", false);
    }

    /// A closed group for each view of the module. GTKWave takes a vector apart by its digits: (0)
    /// is the most significant one.
    void write_views(const InnerScope& module) {
        const InnerSignals& inner = trace_.inner();
        for (const SignalView* view : inner.views_of(module.path)) {
            if (viewed_bits_ > kViewedBits) return;
            begin_group(view->title, false);
            for (const SignalPart& part : view->parts) {
                const std::string signal =
                    inner.scope_of(part.signal).path + '.' + inner.signal_name(part.signal);
                std::string bits;
                for (std::uint32_t bit = part.lsb + part.width; bit-- > part.lsb;) {
                    bits += fmt::format(" ({}){}", inner.width(part.signal) - 1 - bit, signal);
                }
                if (inner.width(part.signal) == 1) bits = ' ' + signal;
                line(part.width == 1 ? kBinary : part.is_number ? kDecimal : kHexadecimal);
                line(fmt::format("{}{{{} {}}}{}", part.width == 1 ? '+' : '#', view->label,
                                 part.name, bits));
                viewed_bits_ += part.width;
            }
            end_group(view->title, false);
        }
    }

    /// The signals of the scope itself, then a closed group for every scope inside.
    void write_content(const InnerScope& scope, const std::string& name) {
        const InnerSignals& inner = trace_.inner();
        for (const std::uint32_t signal : scope.signals) {
            const std::string ranged = inner.signal_name(signal);
            line(inner.width(signal) == 1 ? kBinary : kHexadecimal);
            line(fmt::format("+{{{} {}}} {}.{}", name, inner.name(signal), scope.path, ranged));
        }
        inner_listed_ += scope.signals.size();
        for (const std::uint32_t index : scope.inside) {
            const InnerScope& inside = inner.scope(index);
            const std::string title = name + " " + last_part(inside.path);
            begin_group(title, false);
            write_content(inside, title);
            end_group(title, false);
        }
    }

    void write_signal(const TracedScope& scope, ChannelSignal signal, const std::string& label,
                      int color) {
        if (color != 0) line(fmt::format("[color] {}", color));
        text_ += "+{";
        text_ += label;
        text_ += "} ";
        text_ += scope.path;
        text_ += '.';
        line(trace_.signal_name(signal));
    }

    const OccupancyFile& trace_;
    std::optional<NodeLoads::Range> loads_;
    std::string filter_;  // of owners
    std::string causes_;  // the filters of the path
    std::string channel_names_;
    std::string buffered_;
    std::size_t total_ = 0;         // channels in the trace
    std::size_t inner_listed_ = 0;  // inner signals in the save file
    std::size_t viewed_bits_ = 0;   // of them, in views
    std::string text_;
};

}  // namespace

std::string gtkwave_save_path(const std::string& trace_path) { return trace_path + ".gtkw"; }

std::vector<std::string> gtkwave_files(const std::string& trace_path, bool has_path) {
    std::vector<std::string> names{gtkwave_save_path(trace_path), owner_filter_path(trace_path)};
    if (!has_path) return names;
    names.push_back(cause_filter_path(trace_path));
    names.push_back(channel_filter_path(trace_path));
    return names;
}

void write_gtkwave_save(const std::string& trace_path, const OccupancyFile& trace,
                        const std::optional<NodeLoads::Range>& loads) {
    std::vector<std::unique_ptr<UnfinishedFile>> files;  // which get their names together
    const auto write = [&files](const std::string& path, const std::string& text) {
        files.push_back(write_unfinished(path, [&](std::ostream& out) { out << text; }));
    };
    if (!trace.path().causes().empty()) {
        write(cause_filter_path(trace_path), cause_filter(trace.path().causes()));
        write(channel_filter_path(trace_path), channel_filter(trace));
    }
    if (is_overfull(trace)) write(buffered_filter_path(trace_path), buffered_filter(trace));
    write(owner_filter_path(trace_path), trace.owners().filter());
    write(gtkwave_save_path(trace_path),
          SaveFile(trace, loads).text(trace_path.substr(trace_path.rfind('/') + 1)));
    for (const auto& file : files) file->finish();
}

}  // namespace flitscope
