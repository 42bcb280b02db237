// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/interconnect_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "models/config/workload_config.h"
#include "models/fabric/switching.h"

namespace flitscope {
namespace {

/// The component at `socket` broke a rule that this one relies on.
void report_violation(const sc_core::sc_object& socket, const std::string& what) {
    SC_REPORT_ERROR("/flitscope/interconnect/protocol",
                    fmt::format("{}: {}", socket.name(), what).c_str());
}

std::string name_of(const tlm::tlm_phase& phase) {
    std::ostringstream text;
    text << phase;
    return text.str();
}

/// Phases that others may have added; the base protocol has them ignored.
bool is_extended(const tlm::tlm_phase& phase) { return phase > tlm::END_RESP; }

/// Addresses from the first one on that the transaction touches.
std::uint64_t extent(const tlm::tlm_generic_payload& payload) {
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 1;
    const std::uint64_t width = payload.get_streaming_width();
    const std::uint64_t length = payload.get_data_length();
    return width != 0 && width < length ? width : length;
}

std::uint64_t request_bytes(const InterconnectConfig& config,
                            const tlm::tlm_generic_payload& payload) {
    return config.header_bytes + (payload.is_write() ? payload.get_data_length() : 0);
}

std::uint64_t response_bytes(const InterconnectConfig& config,
                             const tlm::tlm_generic_payload& payload) {
    return config.header_bytes + (payload.is_read() ? payload.get_data_length() : 0);
}

/// Bytes of the longer one of the two messages of a transaction.
std::uint64_t longer_message(const InterconnectConfig& config,
                             const tlm::tlm_generic_payload& payload) {
    return std::max(request_bytes(config, payload), response_bytes(config, payload));
}

const char* name_of(const tlm::tlm_generic_payload& payload) {
    if (payload.is_read()) return "read";
    return payload.is_write() ? "write" : "transaction";
}

/// The message of the transaction, of `bytes`, makes a packet that no FIFO has room for.
void report_too_long(const sc_core::sc_object& socket, const tlm::tlm_generic_payload& payload,
                     std::uint64_t bytes, const Diagnostic& found) {
    SC_REPORT_ERROR(
        "/flitscope/interconnect/length",
        fmt::format("{}: a {} of {} bytes is a message of {}: {} ({})", socket.name(),
                    name_of(payload), payload.get_data_length(), bytes, found.what, found.hint)
            .c_str());
}

}  // namespace

// ---- Initiators ---------------------------------------------------------------------------------

InitiatorPort::InitiatorPort(Socket& socket, std::size_t index, InterconnectParts& parts)
    : socket_(socket), index_(index), node_(parts.config.initiators[index]), parts_(parts) {
    counts_.name = socket.name();
    counts_.node = node_;
    socket_.bind(*this);
}

std::optional<std::size_t> InitiatorPort::find_target(const Payload& payload) const {
    return parts_.map.find(payload.get_address(), extent(payload));
}

/// Where the transaction goes. Nowhere: it has the status that says why, and ends here.
std::optional<std::size_t> InitiatorPort::admissible_target(Payload& payload) {
    const std::optional<std::size_t> target = find_target(payload);
    if (!target) {
        ++counts_.refused;
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return std::nullopt;
    }
    // Where whole packets must fit a FIFO, long accesses may not: nobody knew of them before.
    const std::uint64_t bytes = longer_message(parts_.config, payload);
    if (const auto found = find_packet_without_room(*parts_.machine, bytes)) {
        ++counts_.refused;
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        report_too_long(socket_, payload, bytes, *found);
        return std::nullopt;
    }
    return target;
}

Transit InitiatorPort::transit_to(std::size_t target, Payload& payload) {
    Transit transit;
    transit.payload = &payload;
    transit.initiator = this;
    transit.target = target;
    transit.address = payload.get_address();
    return transit;
}

void InitiatorPort::b_transport(Payload& payload, sc_core::sc_time& delay) {
    const std::optional<std::size_t> target = admissible_target(payload);
    if (!target) return;
    const auto synchronize = [&delay] {
        if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
        delay = sc_core::SC_ZERO_TIME;
    };
    synchronize();  // contention in the network depends on the time at which it enters
    const auto arrived = std::make_shared<sc_core::sc_event>();
    Transit transit = transit_to(*target, payload);
    transit.arrived = arrived;
    try {
        admit(transit);
        sc_core::wait(*arrived);
        parts_.targets[*target]->transport(transit, delay);
        synchronize();
        parts_.targets[*target]->send_response(transit, [arrived] { arrived->notify(); });
        sc_core::wait(*arrived);
    } catch (...) {  // from the target, or from the kernel: thread killed or reset
        payload.set_address(transit.address);
        withdraw(transit);
        throw;
    }
    counts_.respond(payload, parts_.network->cycles_since(transit.admitted));
    counts_.end();
    send_admitted();
}

/// The thread of a blocking transaction no longer waits for it. A message in flight still arrives.
void InitiatorPort::withdraw(Transit& transit) {
    const auto waiting = std::find(admitted_next_.begin(), admitted_next_.end(), &transit);
    if (waiting != admitted_next_.end()) {
        admitted_next_.erase(waiting);
        return;
    }
    if (transit.is_at_target) parts_.targets[transit.target]->end(transit);
    counts_.end();
    send_admitted();
}

tlm::tlm_sync_enum InitiatorPort::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) return begin_request(payload, delay);
    if (phase == tlm::END_RESP) return end_response(payload, delay);
    if (!is_extended(phase)) {
        report_violation(socket_, fmt::format("{} on the forward path", name_of(phase)));
    }
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum InitiatorPort::begin_request(Payload& payload, const sc_core::sc_time& delay) {
    // If SC_ERRORs do not throw, the caller continues without an answer.
    if (!payload.has_mm()) {
        report_violation(socket_, "BEGIN_REQ of a transaction without memory manager");
        return tlm::TLM_ACCEPTED;
    }
    if (requesting_) {
        report_violation(socket_, "BEGIN_REQ before the END_REQ of the transaction before it");
        return tlm::TLM_ACCEPTED;
    }
    if (transits_.count(&payload) != 0) {
        report_violation(socket_, "BEGIN_REQ of a transaction that is under way");
        return tlm::TLM_ACCEPTED;
    }
    const std::optional<std::size_t> target = admissible_target(payload);
    if (!target) return tlm::TLM_COMPLETED;
    payload.acquire();
    requesting_ = true;
    auto& transit = transits_[&payload];
    transit = std::make_unique<Transit>(transit_to(*target, payload));
    if (delay == sc_core::SC_ZERO_TIME) {
        admit(*transit);  // in the order of the calls, as blocking ones are
    } else {
        parts_.network->after(delay, [this, t = transit.get()] { admit(*t); });
    }
    return tlm::TLM_ACCEPTED;
}

void InitiatorPort::admit(Transit& transit) {
    transit.number = admitted_++;
    transit.admitted = sc_core::sc_time_stamp();
    admitted_next_.push_back(&transit);
    send_admitted();
}

void InitiatorPort::send_admitted() {
    while (!admitted_next_.empty() && counts_.outstanding < parts_.config.outstanding) {
        Transit& transit = *admitted_next_.front();
        admitted_next_.pop_front();
        counts_.begin(parts_.network->cycles_since(transit.admitted));
        send_request(transit);
    }
}

void InitiatorPort::send_request(Transit& transit) {
    TargetPort& target = *parts_.targets[transit.target];
    InterconnectNetwork::Action arrived = [&transit, &target] { target.request(transit); };
    if (transit.arrived) arrived = [event = transit.arrived] { event->notify(); };
    const sc_core::sc_time begin =
        parts_.network->send(node_, target.node(), request_bytes(parts_.config, *transit.payload),
                             {index_, index_, transit.number}, std::move(arrived));
    if (transit.arrived) return;
    parts_.network->after(begin - sc_core::sc_time_stamp(),
                          [this, &transit] { end_request(transit); });
}

void InitiatorPort::end_request(Transit& transit) {
    requesting_ = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket_->nb_transport_bw(*transit.payload, phase, delay);
}

void InitiatorPort::respond(Transit& transit) {
    responses_.push_back(&transit);
    respond_next();
}

void InitiatorPort::respond_next() {
    if (responding_ || responses_.empty()) return;
    responding_ = true;
    Transit& transit = *responses_.front();
    counts_.respond(*transit.payload, parts_.network->cycles_since(transit.admitted));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum answer = socket_->nb_transport_bw(*transit.payload, phase, delay);
    if (answer == tlm::TLM_ACCEPTED) return;
    if (answer == tlm::TLM_UPDATED && phase != tlm::END_RESP) {
        report_violation(socket_, fmt::format("{} in answer to BEGIN_RESP", name_of(phase)));
        return;
    }
    response_ending_ = true;
    parts_.network->after(delay, [this, &transit] { complete(transit); });
}

tlm::tlm_sync_enum InitiatorPort::end_response(Payload& payload, const sc_core::sc_time& delay) {
    const bool awaited =
        responding_ && !response_ending_ && responses_.front()->payload == &payload;
    if (!awaited) {
        report_violation(socket_, "END_RESP of a transaction whose response is not in progress");
        return tlm::TLM_ACCEPTED;
    }
    response_ending_ = true;
    parts_.network->after(delay, [this, t = responses_.front()] { complete(*t); });
    return tlm::TLM_COMPLETED;
}

void InitiatorPort::complete(Transit& transit) {
    responses_.pop_front();
    responding_ = false;
    response_ending_ = false;
    counts_.end();
    Payload& payload = *transit.payload;
    transits_.erase(&payload);
    payload.release();
    respond_next();
    send_admitted();
}

bool InitiatorPort::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = payload.get_address();
    const std::optional<std::size_t> target = parts_.map.find(address, 1);
    const AddressRange window = target ? parts_.map.range(*target) : parts_.map.gap(address);
    if (!target || !parts_.config.dmi) {
        // In a refusal the access is the one that is refused.
        dmi.allow_read_write();
        dmi.set_start_address(window.first);
        dmi.set_end_address(window.last);
        return false;
    }
    payload.set_address(address - window.first);
    const bool granted = parts_.targets[*target]->socket()->get_direct_mem_ptr(payload, dmi);
    payload.set_address(address);
    const std::uint64_t last = window.last - window.first;
    dmi.set_start_address(window.first + std::min<std::uint64_t>(dmi.get_start_address(), last));
    dmi.set_end_address(window.first + std::min<std::uint64_t>(dmi.get_end_address(), last));
    return granted;
}

unsigned int InitiatorPort::transport_dbg(Payload& payload) {
    const std::optional<std::size_t> target = find_target(payload);
    if (!target) return 0;
    const std::uint64_t address = payload.get_address();
    payload.set_address(address - parts_.map.range(*target).first);
    const unsigned int bytes = parts_.targets[*target]->socket()->transport_dbg(payload);
    payload.set_address(address);
    return bytes;
}

void InitiatorPort::invalidate(const AddressRange& range) {
    socket_->invalidate_direct_mem_ptr(range.first, range.last);
}

// ---- Targets ------------------------------------------------------------------------------------

TargetPort::TargetPort(Socket& socket, std::size_t index, InterconnectParts& parts)
    : socket_(socket), index_(index), node_(parts.config.targets[index].node), parts_(parts) {
    counts_.name = socket.name();
    counts_.node = node_;
    socket_.bind(*this);
}

std::uint64_t TargetPort::relative(const Transit& transit) const {
    return transit.address - parts_.map.range(index_).first;
}

/// The target gets the transaction, whose request arrived then.
void TargetPort::begin(Transit& transit, const sc_core::sc_time& arrived) {
    transit.arrived_at_target = arrived;
    transit.is_at_target = true;
    counts_.begin(parts_.network->cycles_since(arrived));
}

void TargetPort::end(Transit& transit) {
    transit.is_at_target = false;
    counts_.end();
}

void TargetPort::transport(Transit& transit, sc_core::sc_time& delay) {
    begin(transit, sc_core::sc_time_stamp());
    transit.payload->set_address(relative(transit));
    socket_->b_transport(*transit.payload, delay);
}

void TargetPort::send_response(Transit& transit, InterconnectNetwork::Action arrived) {
    Payload& payload = *transit.payload;
    counts_.respond(payload, parts_.network->cycles_since(transit.arrived_at_target));
    end(transit);
    payload.set_address(transit.address);
    if (!parts_.config.dmi) payload.set_dmi_allowed(false);
    parts_.network->send(
        node_, transit.initiator->node(), response_bytes(parts_.config, payload),
        {parts_.config.initiators.size() + index_, transit.initiator->index(), transit.number},
        std::move(arrived));
}

void TargetPort::request(Transit& transit) {
    transit.arrived_at_target = sc_core::sc_time_stamp();
    requests_.push_back(&transit);
    request_next();
}

void TargetPort::request_next() {
    if (requesting_ != nullptr || requests_.empty()) return;
    Transit& transit = *requests_.front();
    requests_.pop_front();
    Payload& payload = *transit.payload;
    requesting_ = &payload;
    begin(transit, transit.arrived_at_target);
    open_[&payload] = {&transit, false};
    payload.set_address(relative(transit));
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    switch (socket_->nb_transport_fw(payload, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            break;
        case tlm::TLM_UPDATED:
            on_phase(payload, phase, delay);
            break;
        case tlm::TLM_COMPLETED:
            open_[&payload].answered = true;
            parts_.network->after(delay, [this, &payload] { take_response(payload, true); });
            break;
    }
}

tlm::tlm_sync_enum TargetPort::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
    on_phase(payload, phase, delay);
    return tlm::TLM_ACCEPTED;
}

void TargetPort::on_phase(Payload& payload, const tlm::tlm_phase& phase,
                          const sc_core::sc_time& delay) {
    if (is_extended(phase)) return;
    const auto found = open_.find(&payload);
    if (found == open_.end() || found->second.answered) {
        report_violation(socket_, fmt::format("{} of a transaction that the target does not have",
                                              name_of(phase)));
    } else if (phase == tlm::END_REQ) {
        parts_.network->after(delay, [this, &payload] { end_request(&payload); });
    } else if (phase == tlm::BEGIN_RESP) {
        found->second.answered = true;
        parts_.network->after(delay, [this, &payload] { take_response(payload, false); });
    } else {
        report_violation(socket_, fmt::format("{} on the backward path", name_of(phase)));
    }
}

void TargetPort::end_request(const Payload* payload) {
    if (requesting_ != payload) return;  // the response came first, which says the same
    requesting_ = nullptr;
    request_next();
}

/// The target has answered; it gets END_RESP unless it has `completed` the transaction.
void TargetPort::take_response(Payload& payload, bool completed) {
    Transit& transit = *open_[&payload].transit;
    if (!completed) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time delay;
        socket_->nb_transport_fw(payload, phase, delay);
    }
    open_.erase(&payload);
    send_response(transit, [&transit] { transit.initiator->respond(transit); });
    end_request(&payload);
}

void TargetPort::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
    const AddressRange window = parts_.map.range(index_);
    const std::uint64_t last = window.last - window.first;
    if (start > last) return;
    for (InitiatorPort* initiator : parts_.initiators) {
        initiator->invalidate(
            {window.first + start, window.first + std::min<std::uint64_t>(end, last)});
    }
}

}  // namespace flitscope
