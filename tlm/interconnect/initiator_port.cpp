// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/config/workload_config.h"
#include "models/fabric/switching.h"
#include "tlm/interconnect/access_payload.h"
#include "tlm/interconnect/interconnect_ports.h"

namespace flitscope {
namespace {

/// Bytes of the longer one of the two messages of a transaction.
std::uint64_t longer_message(const InterconnectConfig& config,
                             const tlm::tlm_generic_payload& payload) {
    return std::max(request_bytes(config, payload), response_bytes(config, payload));
}

/// Waits until simulated time is that of the caller.
void synchronize(sc_core::sc_time& delay) {
    if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
}

}  // namespace

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
    std::uint64_t bytes = 0;
    if (const auto found = find_too_long(payload, bytes)) {
        ++counts_.refused;
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        report_too_long(socket_, payload, bytes, *found);
        return std::nullopt;
    }
    if (has_wrong_class(payload)) {
        ++counts_.refused;
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        report_class(socket_, classes_of(payload), *parts_.machine, parts_.config);
        return std::nullopt;
    }
    return target;
}

/// Why the network cannot carry an access as long as this one, nobody having known of it before:
/// a message, of `bytes`, has a packet that no FIFO has room for, or several that a node would have
/// to accept one by one.
std::optional<Diagnostic> InitiatorPort::find_too_long(const Payload& payload,
                                                       std::uint64_t& bytes) const {
    bytes = longer_message(parts_.config, payload);
    if (auto found = find_packet_without_room(*parts_.machine, bytes)) return found;
    if (parts_.config.request_queue == 0) return std::nullopt;
    bytes = request_bytes(parts_.config, payload);
    const std::uint32_t packets = parts_.machine->packet_format().packets(bytes);
    if (packets == 1) return std::nullopt;
    return Diagnostic{
        {},
        fmt::format("with interconnect.request_queue a request is a single packet, not {}",
                    packets),
        fmt::format("set node.packet_bytes: {} or more", bytes)};
}

const AccessClass& InitiatorPort::classes_of(const Payload& payload) const {
    const AccessClass* const own = payload.get_extension<AccessClass>();
    return own == nullptr ? parts_.classes : *own;
}

/// Whether there is no such class, or nodes that count their requests do not expect it.
bool InitiatorPort::has_wrong_class(const Payload& payload) const {
    const AccessClass& classes = classes_of(payload);
    const std::uint32_t count = parts_.machine->fabric.class_count();
    if (classes.request >= count || classes.response >= count) return true;
    return parts_.config.request_queue != 0 && (classes.request != parts_.classes.request ||
                                                classes.response != parts_.classes.response);
}

Transit InitiatorPort::transit_to(std::size_t target, Payload& payload) {
    Transit transit;
    transit.payload = &payload;
    transit.initiator = this;
    static_cast<AccessRequest&>(transit.access) = access_of(payload);
    transit.access.initiator = static_cast<std::uint32_t>(index_);
    transit.access.target = static_cast<std::uint32_t>(target);
    const AccessClass& classes = classes_of(payload);
    transit.request_class = classes.request;
    transit.response_class = classes.response;
    return transit;
}

void InitiatorPort::b_transport(Payload& payload, sc_core::sc_time& delay) {
    const std::optional<std::size_t> target = admissible_target(payload);
    if (!target) return;
    Transit transit = transit_to(*target, payload);
    const bool is_ahead = parts_.network->is_annotated();
    // Contention in the network depends on the time at which a request enters.
    if (!is_ahead) synchronize(delay);
    try {
        if (is_ahead) {
            transport_ahead(transit, delay);
        } else {
            transport(transit, delay);
        }
    } catch (...) {  // from the target, or from the kernel: thread killed or reset
        payload.set_address(transit.access.address);
        withdraw(transit);
        throw;
    }
    end(transit, sc_core::sc_time_stamp() + delay);
    leave(transit);
}

/// A transaction that was admitted is under way no more.
void InitiatorPort::leave(const Transit& transit) {
    counts_.end();
    if (!transit.is_counted) return;
    --under_way_;
    send_admitted();
}

/// Waits for both messages and for the target.
void InitiatorPort::transport(Transit& transit, sc_core::sc_time& delay) {
    TargetPort& target = *parts_.targets[transit.access.target];
    const auto arrived = std::make_shared<Arrival>();
    transit.arrived = arrived;
    admit(transit);
    sc_core::wait(arrived->event);
    transit.access.arrived = sc_core::sc_time_stamp();
    target.transport(transit, delay);
    synchronize(delay);
    target.send_response(transit, [arrived] { arrived->come(); });
    sc_core::wait(arrived->event);
    transit.access.returned = sc_core::sc_time_stamp();
}

/// Adds the times of both messages to `delay`. No other access is in its way.
void InitiatorPort::transport_ahead(Transit& transit, sc_core::sc_time& delay) {
    const InterconnectNetwork& network = *parts_.network;
    const auto local_time = [&delay] { return sc_core::sc_time_stamp() + delay; };
    TargetPort& target = *parts_.targets[transit.access.target];
    Access& access = transit.access;
    access.issued = access.admitted = local_time();
    counts_.begin(0);
    access.request_sent = network.send_begin(access.issued);
    access.arrived = network.arrival(request_of(transit), access.request_sent);
    delay = access.arrived - sc_core::sc_time_stamp();
    target.transport(transit, delay);
    const AccessMessage response = target.answer(transit, local_time());
    access.response_sent = network.send_begin(access.answered);
    access.returned = network.arrival(response, access.response_sent);
    delay = access.returned - sc_core::sc_time_stamp();
}

/// The thread of a blocking transaction no longer waits for it. A message in flight still arrives.
void InitiatorPort::withdraw(Transit& transit) {
    for (AccessObserver* observer : parts_.observers) observer->on_abandoned(transit.access);
    const auto waiting = std::find(admitted_next_.begin(), admitted_next_.end(), &transit);
    if (waiting != admitted_next_.end()) {
        admitted_next_.erase(waiting);
        return;
    }
    if (transit.is_at_target) parts_.targets[transit.access.target]->end(transit);
    if (parts_.config.request_queue != 0) answer_alone(transit);
    leave(transit);
}

/// Frees the place that the request has, or will have, at the node of its target: with a response
/// that nobody waits for.
void InitiatorPort::answer_alone(const Transit& transit) {
    const Access& access = transit.access;
    if (access.request == kNoMessage || access.response != kNoMessage) return;
    TargetPort& target = *parts_.targets[access.target];
    const AccessMessage response{
        target.node(), node_, parts_.config.header_bytes, transit.response_class, {access, true}};
    const SendRank rank{parts_.config.initiators.size() + access.target, index_, transit.number};
    const auto answer = [network = parts_.network, response, rank] {
        network->send(response, rank, [] {});
    };
    if (transit.arrived->has_come) {
        answer();
    } else {
        transit.arrived->instead = answer;
    }
}

/// The initiator gets the response.
void InitiatorPort::end(Transit& transit, const sc_core::sc_time& time) {
    Access& access = transit.access;
    access.ended = time;
    counts_.respond(*transit.payload, parts_.network->cycles(access.issued, time));
    for (AccessObserver* observer : parts_.observers) observer->on_access(access);
}

tlm::tlm_sync_enum InitiatorPort::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) return begin_request(payload, delay);
    if (phase == tlm::END_RESP) return end_response(payload, delay);
    if (!is_extended(phase)) {
        report_violation(socket_, fmt::format("{} on the forward path", phase_name(phase)));
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
    transit.access.issued = sc_core::sc_time_stamp();
    admitted_next_.push_back(&transit);
    send_admitted();
}

void InitiatorPort::send_admitted() {
    while (!admitted_next_.empty() && under_way_ < parts_.config.outstanding) {
        Transit& transit = *admitted_next_.front();
        admitted_next_.pop_front();
        transit.is_counted = true;
        ++under_way_;
        transit.access.admitted = sc_core::sc_time_stamp();
        counts_.begin(parts_.network->cycles_since(transit.access.issued));
        send_request(transit);
    }
}

AccessMessage InitiatorPort::request_of(const Transit& transit) const {
    const std::size_t target = transit.access.target;
    return {node_,
            parts_.targets[target]->node(),
            request_bytes(parts_.config, *transit.payload),
            transit.request_class,
            {transit.access, false}};
}

void InitiatorPort::send_request(Transit& transit) {
    TargetPort& target = *parts_.targets[transit.access.target];
    InterconnectNetwork::Action arrived = [&transit, &target] { target.request(transit); };
    if (transit.arrived) arrived = [waits = transit.arrived] { waits->come(); };
    const SentMessage sent = parts_.network->send(
        request_of(transit), {index_, index_, transit.number}, std::move(arrived));
    transit.access.request = sent.id;
    transit.access.request_sent = sent.begin;
    if (transit.arrived) return;
    parts_.network->after(sent.begin - sc_core::sc_time_stamp(),
                          [this, &transit] { end_request(transit); });
}

void InitiatorPort::end_request(Transit& transit) {
    requesting_ = false;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    socket_->nb_transport_bw(*transit.payload, phase, delay);
}

void InitiatorPort::respond(Transit& transit) {
    transit.access.returned = sc_core::sc_time_stamp();
    responses_.push_back(&transit);
    respond_next();
}

void InitiatorPort::respond_next() {
    if (responding_ || responses_.empty()) return;
    responding_ = true;
    Transit& transit = *responses_.front();
    end(transit, sc_core::sc_time_stamp());
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum answer = socket_->nb_transport_bw(*transit.payload, phase, delay);
    if (answer == tlm::TLM_ACCEPTED) return;
    if (answer == tlm::TLM_UPDATED && phase != tlm::END_RESP) {
        report_violation(socket_, fmt::format("{} in answer to BEGIN_RESP", phase_name(phase)));
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
    --under_way_;
    Payload& payload = *transit.payload;
    transits_.erase(&payload);
    payload.release();
    respond_next();
    send_admitted();
}

/// Adds what the messages of an access of the length of `payload` take, of a word if it has none.
/// The target's latencies are in `dmi`.
void InitiatorPort::add_latencies(std::size_t target, const Payload& payload,
                                  tlm::tlm_dmi& dmi) const {
    constexpr unsigned int kWord = 4;
    const InterconnectNetwork& network = *parts_.network;
    const NodeId there = parts_.targets[target]->node();
    const auto latency = [&](tlm::tlm_command command) {
        tlm::tlm_generic_payload access;
        access.set_command(command);
        access.set_data_length(payload.get_data_length() == 0 ? kWord : payload.get_data_length());
        const auto time = [&](NodeId from, NodeId to, std::uint64_t bytes) {
            return network.arrival({from, to, bytes, 0, {}}, network.send_begin({}));
        };
        return time(node_, there, request_bytes(parts_.config, access)) +
               time(there, node_, response_bytes(parts_.config, access));
    };
    dmi.set_read_latency(dmi.get_read_latency() + latency(tlm::TLM_READ_COMMAND));
    dmi.set_write_latency(dmi.get_write_latency() + latency(tlm::TLM_WRITE_COMMAND));
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
    if (granted && parts_.network->is_annotated()) add_latencies(*target, payload, dmi);
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

}  // namespace flitscope
