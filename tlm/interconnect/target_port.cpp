// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tlm/interconnect/access_payload.h"
#include "tlm/interconnect/interconnect_ports.h"

namespace flitscope {

TargetPort::TargetPort(Socket& socket, std::size_t index, InterconnectParts& parts)
    : socket_(socket), index_(index), node_(parts.config.targets[index].node), parts_(parts) {
    counts_.name = socket.name();
    counts_.node = node_;
    socket_.bind(*this);
}

std::uint64_t TargetPort::relative(const Transit& transit) const {
    return transit.access.address - parts_.map.range(index_).first;
}

/// The target gets the transaction at `time`.
void TargetPort::begin(Transit& transit, const sc_core::sc_time& time) {
    transit.access.served = time;
    transit.is_at_target = true;
    counts_.begin(parts_.network->cycles(transit.access.arrived, time));
}

void TargetPort::end(Transit& transit) {
    transit.is_at_target = false;
    counts_.end();
}

void TargetPort::transport(Transit& transit, sc_core::sc_time& delay) {
    begin(transit, transit.access.arrived);
    transit.payload->set_address(relative(transit));
    socket_->b_transport(*transit.payload, delay);
}

AccessMessage TargetPort::answer(Transit& transit, const sc_core::sc_time& time) {
    Payload& payload = *transit.payload;
    transit.access.answered = time;
    counts_.respond(payload, parts_.network->cycles(transit.access.arrived, time));
    end(transit);
    payload.set_address(transit.access.address);
    if (!parts_.config.dmi) payload.set_dmi_allowed(false);
    return {node_,
            transit.initiator->node(),
            response_bytes(parts_.config, payload),
            transit.response_class,
            {transit.access, true}};
}

void TargetPort::send_response(Transit& transit, InterconnectNetwork::Action arrived) {
    const SentMessage sent = parts_.network->send(
        answer(transit, sc_core::sc_time_stamp()),
        {parts_.config.initiators.size() + index_, transit.initiator->index(), transit.number},
        std::move(arrived));
    transit.access.response = sent.id;
    transit.access.response_sent = sent.begin;
}

void TargetPort::request(Transit& transit) {
    transit.access.arrived = sc_core::sc_time_stamp();
    requests_.push_back(&transit);
    request_next();
}

void TargetPort::request_next() {
    if (requesting_ != nullptr || requests_.empty()) return;
    Transit& transit = *requests_.front();
    requests_.pop_front();
    Payload& payload = *transit.payload;
    requesting_ = &payload;
    begin(transit, sc_core::sc_time_stamp());
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
                                              phase_name(phase)));
    } else if (phase == tlm::END_REQ) {
        parts_.network->after(delay, [this, &payload] { end_request(&payload); });
    } else if (phase == tlm::BEGIN_RESP) {
        found->second.answered = true;
        parts_.network->after(delay, [this, &payload] { take_response(payload, false); });
    } else {
        report_violation(socket_, fmt::format("{} on the backward path", phase_name(phase)));
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
