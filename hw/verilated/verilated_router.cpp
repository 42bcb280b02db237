// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes a verilated router an RtlModel. Compiled once per variant, with its parameters as macros,
// into a separate shared library (CMakeLists.txt).
#include <verilated.h>
#include <verilated_vcd_c.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "Vrouter.h"
#include "Vrouter___024root.h"
#if VM_COVERAGE
#include "Vrouter__Syms.h"
#endif
#include "hw/verilated/rtl_model.h"
#include "models/base/powers_of_two.h"

/// The part of Vrouter::eval() that is needed once reset() has initialised the model: without
/// tracing and without models that have their own threads.
void Vrouter___024root___eval(Vrouter___024root* root);

namespace flitscope::hw {

/// Output of the RTL ($error, $display) until it stops, per thread.
std::string& said() {
    thread_local std::string text;
    return text;
}

namespace {

constexpr std::uint32_t kPorts = FLITSCOPE_PORTS;
constexpr std::uint32_t kVcs = FLITSCOPE_VIRTUAL_CHANNELS;
constexpr std::uint32_t kInputs = kPorts * kVcs;
constexpr std::uint32_t kFlitBits = FLITSCOPE_FLIT_BITS;

constexpr std::uint32_t kVcBits = index_bits(kVcs);

#define FLITSCOPE_ROUTES_AT_PINS (FLITSCOPE_ROUTING == 3)  // hw::RtlRouting::kPins

#if FLITSCOPE_SLOW_LINKS
/// Bits of the pins fields_i below the rates of links.
constexpr std::uint32_t kFieldBits =
    kRtlNodeBits * (FLITSCOPE_ROUTING == 0 ? (kPorts - 1) / 2 : kPorts - 1);
#endif

constexpr std::uint64_t low_bits(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - width); }

// A pin is an integer of 8 to 64 bits, or words of 32 bits if it is wider. A field has up to 64
// bits and may begin anywhere, so it may span three words.
template <class T>
std::uint64_t get(const T& pin, std::uint32_t lsb, std::uint32_t width) {
    return static_cast<std::uint64_t>(pin) >> lsb & low_bits(width);
}
template <std::size_t kWords>
std::uint64_t get(const VlWide<kWords>& pin, std::uint32_t lsb, std::uint32_t width) {
    const std::uint32_t word = lsb / 32;
    const std::uint32_t at = lsb % 32;
    std::uint64_t value = pin[word] >> at;
    if (at + width > 32) value |= static_cast<std::uint64_t>(pin[word + 1]) << (32 - at);
    if (at + width > 64) value |= static_cast<std::uint64_t>(pin[word + 2]) << (64 - at);
    return value & low_bits(width);
}
template <class T>
void set(T& pin, std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    const std::uint64_t kept = static_cast<std::uint64_t>(pin) & ~(low_bits(width) << lsb);
    pin = static_cast<T>(kept | value << lsb);
}
template <std::size_t kWords>
void set(VlWide<kWords>& pin, std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    for (std::uint32_t done = 0; done < width;) {
        const std::uint32_t word = (lsb + done) / 32;
        const std::uint32_t at = (lsb + done) % 32;
        const std::uint32_t some = std::min(32 - at, width - done);
        const std::uint32_t mask = (some == 32 ? ~0U : (1U << some) - 1) << at;
        pin[word] = (pin[word] & ~mask) | (static_cast<std::uint32_t>(value >> done) << at & mask);
        done += some;
    }
}

/// A flit goes over the pins in chunks of 64 bits, the last one perhaps narrower.
constexpr std::uint32_t chunk_width(std::uint32_t lsb) { return std::min(64U, kFlitBits - lsb); }

/// The chunk of a flit from bit `lsb` on: its word, then something that follows from it, so that a
/// router which mixes them up is seen.
std::uint64_t chunk(std::uint64_t word, std::uint32_t lsb) {
    const std::uint32_t number = lsb / 64;
    const std::uint64_t all = number == 0 ? word : ~(word << number | word >> (64 - number));
    return all & low_bits(chunk_width(lsb));
}

/// Verilator writes VCD text; we need scopes, names and changes.
class VcdReader final : public VerilatedVcdFile {
public:
    explicit VcdReader(RtlSignalSink& sink) : sink_(sink) {}
    bool open(const std::string&) override { return true; }
    void close() override {}
    ssize_t write(const char* text, ssize_t length) override {
        text_.append(text, static_cast<std::size_t>(length));
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = text_.find('\n', begin)) != std::string::npos;
             begin = end + 1) {
            line(std::string_view(text_).substr(begin, end - begin));
        }
        text_.erase(0, begin);
        return length;
    }

private:
    static std::string_view word(std::string_view& rest) {
        const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
        const std::size_t end = std::min(rest.find(' ', begin), rest.size());
        const std::string_view found = rest.substr(begin, end - begin);
        rest.remove_prefix(end);
        return found;
    }

    void line(std::string_view rest) {
        if (!in_body_) {
            header(rest);
            return;
        }
        if (rest.empty() || rest[0] == '#' || rest[0] == '$') return;
        std::string_view digits = rest.substr(0, 1);
        std::string_view code = rest.substr(1);
        if (rest[0] == 'b') {
            digits = word(rest).substr(1);
            code = word(rest);
        }
        const auto found = signals_.find(std::string(code));
        if (found == signals_.end()) return;
        for (const std::uint32_t signal : found->second) sink_.change(signal, digits);
    }

    void header(std::string_view rest) {
        const std::string_view keyword = word(rest);
        if (keyword == "$scope") {
            word(rest);
            scopes_.emplace_back(word(rest));
        } else if (keyword == "$upscope") {
            scopes_.pop_back();
        } else if (keyword == "$var") {
            word(rest);
            const auto width = static_cast<std::uint32_t>(std::stoul(std::string(word(rest))));
            const std::string code(word(rest));
            const std::string name(word(rest));
            // The outermost scope is verilator's own, and repeats the pins. The clock would only
            // show that time goes by, loop variables nothing at all.
            const bool loop = scopes_.back().rfind("unnamedblk", 0) == 0;
            if (scopes_.size() < 2 || name == "clk_i" || loop) return;
            std::string path;
            for (std::size_t i = 1; i < scopes_.size(); ++i) {
                path += (i == 1 ? "" : ".") + scopes_[i];
            }
            signals_[code].push_back(sink_.declare(path, name, width));
        } else if (keyword == "$enddefinitions") {
            in_body_ = true;
        }
    }

    RtlSignalSink& sink_;
    std::string text_;  // the line not yet ended
    std::vector<std::string> scopes_;
    std::unordered_map<std::string, std::vector<std::uint32_t>> signals_;
    bool in_body_ = false;
};

class VerilatedRouter final : public RtlModel {
public:
    explicit VerilatedRouter(const RtlLibraryEntry::Setup& setup) {
        context_.threads(1);  // or it would keep a pool of them
        // State without reset starts random, but the same in every run; with coverage, as 0:
        // verilator's copy of it would have a different random value, and so count a change.
        context_.randReset(VM_COVERAGE ? 0 : 2);
        context_.randSeed(static_cast<int>(setup.router.number()) + 1);
        context_.traceEverOn(setup.traced);
        router_ = std::make_unique<Vrouter>(&context_, "");
#if FLITSCOPE_ROUTES_AT_PINS
        id_ = setup.router;
        routing_ = setup.routing;
#endif
        reset(setup);
    }
    ~VerilatedRouter() override {
        // Scopes are taken out of the thread's context, which must not be one that is gone.
        Verilated::threadContextp(&context_);
        if (trace_ != nullptr) trace_->close();
#if VM_COVERAGE && FLITSCOPE_TELLS_GRANTS
        if (const char* folder = std::getenv("FLITSCOPE_RTL_COVERAGE")) write_coverage(folder);
#endif
    }

    void edge(RtlPins& pins) override {
        drive(pins.in);
        clock();
        sense(pins.out);
    }

    void finish() override {
        Verilated::threadContextp(&context_);  // also what `final` blocks say and count is of it
        router_->final();
    }

    bool granted([[maybe_unused]] std::uint32_t input) const override {
#if FLITSCOPE_TELLS_GRANTS
        return get(router_->rootp->router__DOT__granted, input, 1) != 0;
#else
        return false;
#endif
    }

    std::uint32_t held_output([[maybe_unused]] std::uint32_t input) const override {
#if FLITSCOPE_TELLS_GRANTS
        // A head that holds nothing may have been offered something.
        const bool holds = get(router_->rootp->router__DOT__holding_q, input, 1) != 0;
        if (!holds && !granted(input)) return kNone;
        for (std::uint32_t port = 0; port < kPorts; ++port) {
            if (get(router_->rootp->router__DOT__target, port * kInputs + input, 1) == 0) continue;
            for (std::uint32_t vc = 0; vc < kVcs; ++vc) {
                if (get(router_->rootp->router__DOT__target_vc, vc * kInputs + input, 1) != 0) {
                    return port * kVcs + vc;
                }
            }
        }
#endif
        return kNone;
    }

    void trace(RtlSignalSink& sink) override {
        file_ = std::make_unique<VcdReader>(sink);
        trace_ = std::make_unique<VerilatedVcdC>(file_.get());
        router_->trace(trace_.get(), 99);
        trace_->open("inner");
        trace_->flush();
    }

    void dump(const RtlPins& pins) override {
        drive(pins.in);
        router_->clk_i = 0;
        router_->eval();
        trace_->dump(++dumps_);
        trace_->flush();
    }

private:
#if VM_COVERAGE && FLITSCOPE_TELLS_GRANTS
    /// One file per process for all models of this library, renewed by each that has reached
    /// something new.
    void write_coverage(const char* folder) {
        auto& counts = router_->rootp->vlSymsp->__Vcoverage;
        static std::vector<std::uint64_t> reached(std::size(counts));
        bool news = false;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            news = news || (reached[i] == 0 && counts[i] != 0);
            reached[i] += counts[i];
        }
        if (!news) return;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            counts[i] = static_cast<std::uint32_t>(std::min<std::uint64_t>(reached[i], UINT32_MAX));
        }
        context_.coveragep()->write(
            (std::string(folder) + "/" FLITSCOPE_NAME "." + std::to_string(getpid()) + ".dat")
                .c_str());
    }
#endif

    /// One rising edge. The falling one does nothing but be remembered, and costs as much as half
    /// a rising one; where verilator keeps the last level in a place we know, we set it instead.
    template <class Root>
    static auto forget_level(Root& root, int) -> decltype(root.__Vtrigrprev__TOP__clk_i, bool()) {
        root.__Vtrigrprev__TOP__clk_i = 0;
        return true;
    }
    template <class Root>
    static bool forget_level(Root&, long) {
        return false;
    }
    void clock() {
        router_->clk_i = 1;
        if (trace_ == nullptr) {
            Vrouter___024root___eval(router_->rootp);
        } else {
            router_->eval();
        }
        // A module that is not ours may work on the falling edge, too.
        if (FLITSCOPE_TELLS_GRANTS != 0 && forget_level(*router_->rootp, 0)) return;
        router_->clk_i = 0;
        router_->eval();
    }

    void reset(const RtlLibraryEntry::Setup& setup) {
        constexpr int kResetCycles = 4;
        router_->clk_i = 0;
        router_->rst_ni = 0;
        drive(RtlPins::Side{});
        router_->table_write_i = 0;
        set(router_->node_i, 0, kRtlNodeBits, setup.node);
        for (std::uint32_t k = 0; k < setup.field_count; ++k) {
            set(router_->fields_i, k * kRtlNodeBits, kRtlNodeBits, setup.fields[k]);
        }
#if FLITSCOPE_SLOW_LINKS
        for (std::uint32_t port = 0; port < kPorts; ++port) {
            const std::uint32_t cycles = setup.rate_cycles == nullptr ? 1 : setup.rate_cycles[port];
            set(router_->fields_i, kFieldBits + port * kRtlRateBits, kRtlRateBits, cycles - 1);
        }
#endif
        router_->eval();
        for (int i = 0; i < kResetCycles; ++i) clock();
#if FLITSCOPE_TABLE_ENTRIES
        router_->table_write_i = 1;
        for (NodeId destination = 0; destination < setup.destinations; ++destination) {
            const RouteChoice choice = setup.routing->route(setup.router, destination);
            router_->table_address_i = destination;
            set(router_->table_port_i, 0, index_bits(kPorts), choice.port);
            set(router_->table_vcs_i, 0, kVcs, choice.virtual_channels & ((1U << kVcs) - 1));
            clock();
        }
        router_->table_write_i = 0;
#endif
        router_->rst_ni = 1;
    }

    void drive(const RtlPins::Side& in) {
        set(router_->flit_valid_i, 0, kPorts, in.flit_valid.word(0));
        in.flit_valid.for_each([this, &in](std::uint32_t port) {
            const RtlPins::FlitPin& pin = in.flits[port];
            set(router_->flit_vc_i, port * kVcBits, kVcBits, pin.vc);
            set(router_->flit_head_i, port, 1, pin.flit.head ? 1 : 0);
            set(router_->flit_tail_i, port, 1, pin.flit.tail ? 1 : 0);
            for (std::uint32_t bit = 0; bit < kFlitBits; bit += 64) {
                set(router_->flit_data_i, port * kFlitBits + bit, chunk_width(bit),
                    chunk(pin.flit.word, bit));
            }
#if FLITSCOPE_ROUTES_AT_PINS
            if (pin.flit.head) drive_route(port, pin);
#endif
        });
        for (std::uint32_t bit = 0; bit < kInputs; bit += 64) {
            set(router_->credit_i, bit, std::min(64U, kInputs - bit), in.credits.word(bit));
        }
    }

#if FLITSCOPE_ROUTES_AT_PINS
    /// Is what looks up routes beside the router.
    void drive_route(PortId port, const RtlPins::FlitPin& pin) {
        const RouteChoice choice =
            routing_->route(query_of_head(*routing_, id_, port, pin.vc, pin.flit.word));
        set(router_->table_port_i, port * index_bits(kPorts), index_bits(kPorts), choice.port);
        set(router_->table_vcs_i, port * kVcs, kVcs, choice.virtual_channels & ((1U << kVcs) - 1));
    }
#endif

    void sense(RtlPins::Side& out) const {
        out.flit_valid.word(0) = get(router_->flit_valid_o, 0, kPorts);
        out.flit_valid.for_each([this, &out](std::uint32_t port) {
            RtlPins::FlitPin& pin = out.flits[port];
            pin.vc = static_cast<std::uint32_t>(get(router_->flit_vc_o, port * kVcBits, kVcBits));
            pin.flit.head = get(router_->flit_head_o, port, 1) != 0;
            pin.flit.tail = get(router_->flit_tail_o, port, 1) != 0;
            pin.flit.word = get(router_->flit_data_o, port * kFlitBits, chunk_width(0));
            for (std::uint32_t bit = 64; bit < kFlitBits; bit += 64) {
                if (get(router_->flit_data_o, port * kFlitBits + bit, chunk_width(bit)) !=
                    chunk(pin.flit.word, bit)) {
                    throw std::runtime_error("bits of a wide flit come out wrong");
                }
            }
        });
        for (std::uint32_t bit = 0; bit < kInputs; bit += 64) {
            out.credits.word(bit) = get(router_->credit_o, bit, std::min(64U, kInputs - bit));
        }
    }

    VerilatedContext context_;
    std::unique_ptr<Vrouter> router_;
    std::unique_ptr<VcdReader> file_;
    std::unique_ptr<VerilatedVcdC> trace_;
    std::uint64_t dumps_ = 0;
#if FLITSCOPE_ROUTES_AT_PINS
    RouterId id_;
    const Routing* routing_ = nullptr;
#endif
};

std::unique_ptr<RtlModel> create(const RtlLibraryEntry::Setup& setup) {
    return std::make_unique<VerilatedRouter>(setup);
}

RtlLibraryEntry make_entry() {
    RtlLibraryEntry entry;
    entry.ports = kPorts;
    entry.virtual_channels = kVcs;
    entry.depth = FLITSCOPE_DEPTH;
    entry.router_delay = FLITSCOPE_ROUTER_DELAY;
    entry.hold = FLITSCOPE_HOLD != 0;
    entry.combined = FLITSCOPE_COMBINED != 0;
    entry.input_speedup = FLITSCOPE_INPUT_SPEEDUP;
    entry.output_speedup = FLITSCOPE_OUTPUT_SPEEDUP;
    entry.output_queue = FLITSCOPE_OUTPUT_QUEUE;
    entry.classes = FLITSCOPE_CLASSES;
    entry.slow_links = FLITSCOPE_SLOW_LINKS != 0;
    entry.quiet_cycles = FLITSCOPE_QUIET_CYCLES;
    entry.tells_grants = FLITSCOPE_TELLS_GRANTS != 0;
    entry.create = create;
    return entry;
}

}  // namespace
}  // namespace flitscope::hw

extern "C" __attribute__((visibility("default")))
const flitscope::hw::RtlLibraryEntry flitscope_rtl_library;
const flitscope::hw::RtlLibraryEntry flitscope_rtl_library = flitscope::hw::make_entry();

/// Called where verilator's runtime would print to standard output, which is for results.
int flitscope_rtl_print(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char text[1024];
    const int length = std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    std::string& said = flitscope::hw::said();
    constexpr std::size_t kMost = 10'000;  // a talkative module must not fill the memory
    if (said.size() > kMost) said.erase(0, said.size() - kMost / 2);
    said += text;
    return length;
}

/// A failed assertion stops the simulation (VL_USER_STOP).
void vl_stop(const char*, int, const char*) {
    std::string text;
    text.swap(flitscope::hw::said());
    while (!text.empty() && text.back() == '\n') text.pop_back();
    throw std::runtime_error(text);
}
