// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Components of a virtual platform for tests: initiators that follow a script, memories that answer
// in every way that the base protocol allows, and the memory manager of their transactions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace flitscope {

using Payload = tlm::tlm_generic_payload;

inline sc_core::sc_time ns(double value) { return {value, sc_core::SC_NS}; }

/// Makes transactions and takes them back; each has its own buffer.
class PayloadPool final : public tlm::tlm_mm_interface {
public:
    /// A transaction with one reference. The buffer is zero.
    Payload& get(tlm::tlm_command command, std::uint64_t address, unsigned int length) {
        items_.push_back(std::make_unique<Item>(*this, length));
        Payload& payload = items_.back()->payload;
        payload.set_command(command);
        payload.set_address(address);
        payload.set_data_ptr(items_.back()->data.data());
        payload.set_data_length(length);
        payload.set_streaming_width(std::max(length, 1U));
        payload.acquire();
        return payload;
    }
    void free(Payload* payload) override {
        payload->reset();
        ++freed_;
    }
    std::size_t made() const { return items_.size(); }
    std::size_t freed() const { return freed_; }

private:
    struct Item {
        Item(PayloadPool& pool, unsigned int length) : payload(&pool), data(length + 1) {}
        Payload payload;
        std::vector<unsigned char> data;
    };

    std::vector<std::unique_ptr<Item>> items_;
    std::size_t freed_ = 0;
};

/// Counts itself, so that a test sees whether extensions are freed.
struct Tag final : tlm::tlm_extension<Tag> {
    Tag() { ++live; }
    ~Tag() override { --live; }
    tlm::tlm_extension_base* clone() const override { return new Tag; }
    void copy_from(const tlm::tlm_extension_base&) override {}
    static inline int live = 0;
};

/// Calls what is due.
class EventQueue final : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(EventQueue);
    explicit EventQueue(sc_core::sc_module_name name) : sc_module(name) {
        SC_METHOD(run);
        sensitive << due_;
        dont_initialize();
    }
    void after(const sc_core::sc_time& delay, std::function<void()> action) {
        actions_.emplace(sc_core::sc_time_stamp() + delay, std::move(action));
        due_.notify(delay);
    }

private:
    void run() {
        const sc_core::sc_time now = sc_core::sc_time_stamp();
        while (!actions_.empty() && actions_.begin()->first <= now) {
            const auto action = std::move(actions_.begin()->second);
            actions_.erase(actions_.begin());
            action();
        }
        if (!actions_.empty()) due_.notify(actions_.begin()->first - now);
    }

    std::multimap<sc_core::sc_time, std::function<void()>> actions_;
    sc_core::sc_event due_;
};

/// How a memory answers BEGIN_REQ.
enum class Answer { kFourPhases, kResponseOnly, kUpdatedEndReq, kUpdatedBeginResp, kCompleted };

class Memory final : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
public:
    tlm::tlm_target_socket<> socket{"socket"};

    std::vector<unsigned char> bytes;
    std::function<Answer()> answer = [] { return Answer::kFourPhases; };
    std::function<sc_core::sc_time()> latency = [] { return sc_core::SC_ZERO_TIME; };
    sc_core::sc_time accept_time;  ///< from BEGIN_REQ to END_REQ; no longer than the latency
    bool dmi_hint = false;
    tlm::tlm_dmi dmi;  ///< the answer, with `dmi_granted`
    bool dmi_granted = false;
    std::uint64_t last_address = 0;
    sc_core::sc_time last_access;
    unsigned int accesses = 0;

    Memory(sc_core::sc_module_name name, std::size_t size) : sc_module(name), bytes(size) {
        socket.bind(*this);
    }

    /// All of it may be read and written directly.
    void grant_direct_accesses() {
        dmi_granted = true;
        dmi.set_dmi_ptr(bytes.data());
        dmi.set_start_address(0);
        dmi.set_end_address(bytes.size() - 1);
        dmi.allow_read_write();
    }
    void invalidate(std::uint64_t start, std::uint64_t end) {
        socket->invalidate_direct_mem_ptr(start, end);
    }

    void b_transport(Payload& payload, sc_core::sc_time& delay) override {
        execute(payload);
        delay += latency();
    }

    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        if (phase == tlm::END_RESP) {
            events_.after(delay, [this] { end_response(); });
            return tlm::TLM_COMPLETED;
        }
        execute(payload);
        Answer how = answer();
        // Exclusion of responses: not a second one while one is in progress or waits.
        if (how == Answer::kUpdatedBeginResp && !responses_.empty()) how = Answer::kFourPhases;
        if (how == Answer::kCompleted) {
            delay += latency();
            return tlm::TLM_COMPLETED;
        }
        payload.acquire();
        const sc_core::sc_time ready = delay + std::max(latency(), accept_time);
        if (how == Answer::kUpdatedBeginResp) {
            responses_.push_back(&payload);
            phase = tlm::BEGIN_RESP;
            delay = ready;
            return tlm::TLM_UPDATED;
        }
        events_.after(ready, [this, &payload] {
            responses_.push_back(&payload);
            if (responses_.size() == 1) begin_response();
        });
        if (how == Answer::kUpdatedEndReq) {
            phase = tlm::END_REQ;
            delay += accept_time;
            return tlm::TLM_UPDATED;
        }
        if (how == Answer::kFourPhases) {
            // In front of the response, even if both are due at once.
            events_.after(delay + accept_time, [this, &payload] { end_request(payload); });
        }
        return tlm::TLM_ACCEPTED;
    }

    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& answered) override {
        last_address = payload.get_address();
        answered = dmi;
        return dmi_granted;
    }

    unsigned int transport_dbg(Payload& payload) override {
        last_address = payload.get_address();
        transfer(payload);
        return payload.get_data_length();
    }

private:
    void execute(Payload& payload) {
        ++accesses;
        last_access = sc_core::sc_time_stamp();
        last_address = payload.get_address();
        if (dmi_hint) payload.set_dmi_allowed(true);
        if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        } else if (last_address >= bytes.size()) {
            payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        } else {
            transfer(payload);
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        }
    }

    void transfer(Payload& payload) {
        const unsigned char* const enabled = payload.get_byte_enable_ptr();
        for (unsigned int i = 0; i < payload.get_data_length(); ++i) {
            if (enabled != nullptr &&
                enabled[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) {
                continue;
            }
            unsigned char& here = bytes.at(last_address + i % payload.get_streaming_width());
            unsigned char& there = payload.get_data_ptr()[i];
            if (payload.is_write()) here = there;
            if (payload.is_read()) there = here;
        }
    }

    void end_request(Payload& payload) {
        if (std::find(responses_.begin(), responses_.end(), &payload) != responses_.end()) return;
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay;
        socket->nb_transport_bw(payload, phase, delay);
    }

    void begin_response() {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        const tlm::tlm_sync_enum done = socket->nb_transport_bw(*responses_.front(), phase, delay);
        if (done != tlm::TLM_ACCEPTED) events_.after(delay, [this] { end_response(); });
    }

    void end_response() {
        responses_.front()->release();
        responses_.pop_front();
        if (!responses_.empty()) begin_response();
    }

    EventQueue events_{"events"};
    std::deque<Payload*> responses_;  // the first one is in progress
};

/// How an initiator answers BEGIN_RESP.
enum class Reply { kAccepted, kUpdated, kCompleted };

/// Plays `script` in a thread.
class Initiator final : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> socket{"socket"};

    std::function<void()> script;
    std::function<Reply()> reply = [] { return Reply::kCompleted; };
    sc_core::sc_time think_time;  ///< from BEGIN_RESP to END_RESP
    /// Non-blocking transactions: when their phases came, counted from 0.
    std::map<Payload*, sc_core::sc_time> accepted;
    std::map<Payload*, sc_core::sc_time> responded;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> invalidated;
    bool finished = false;

    SC_HAS_PROCESS(Initiator);
    explicit Initiator(sc_core::sc_module_name name) : sc_module(name) {
        socket.bind(*this);
        SC_THREAD(play);
    }

    /// Blocking, with no time annotated; the time of the return.
    sc_core::sc_time transport(Payload& payload) {
        sc_core::sc_time delay;
        socket->b_transport(payload, delay);
        wait(delay);
        return sc_core::sc_time_stamp();
    }

    /// Non-blocking: waits for the request before, then sends this one.
    void issue(Payload& payload, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
        while (requesting_ != nullptr) wait(changed_);
        requesting_ = &payload;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        const tlm::tlm_sync_enum answer = socket->nb_transport_fw(payload, phase, delay);
        if (answer == tlm::TLM_COMPLETED) {
            requesting_ = nullptr;
            responded[&payload] = sc_core::sc_time_stamp() + delay;
        }
    }
    /// Waits for the response; the time of it.
    sc_core::sc_time await(Payload& payload) {
        while (responded.count(&payload) == 0) wait(changed_);
        return responded[&payload];
    }
    /// Waits until some phase comes.
    void await_change() { wait(changed_); }

    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        changed_.notify(delay);
        if (requesting_ == &payload) requesting_ = nullptr;
        if (phase == tlm::END_REQ) {
            accepted[&payload] = sc_core::sc_time_stamp() + delay;
            return tlm::TLM_ACCEPTED;
        }
        responded[&payload] = sc_core::sc_time_stamp() + delay;
        const Reply how = reply();
        if (how == Reply::kAccepted) {
            // Half of the time passes, half is annotated.
            events_.after(delay + think_time / 2, [this, &payload] { end_response(payload); });
            return tlm::TLM_ACCEPTED;
        }
        delay += think_time;
        if (how == Reply::kCompleted) return tlm::TLM_COMPLETED;
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
        invalidated.emplace_back(start, end);
    }

private:
    void play() {
        if (script) script();
        finished = true;
    }
    void end_response(Payload& payload) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay = think_time / 2;
        socket->nb_transport_fw(payload, phase, delay);
    }

    EventQueue events_{"events"};
    Payload* requesting_ = nullptr;
    sc_core::sc_event changed_;
};

}  // namespace flitscope
