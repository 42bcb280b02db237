// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The two sides of an interconnect: an InitiatorPort behind each target socket, a TargetPort behind
// each initiator socket. Each follows the rules of the base protocol towards the component that is
// bound to it; between them a transaction is two messages of the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "models/base/types.h"
#include "models/config/interconnect_config.h"
#include "tlm/addresses/address_map.h"
#include "tlm/interconnect/access.h"
#include "tlm/interconnect/access_class.h"
#include "tlm/interconnect/interconnect_network.h"
#include "tlm/interconnect/socket_counts.h"

namespace flitscope {

class InitiatorPort;
class TargetPort;
struct WorkloadConfig;

/// State that all ports of an interconnect share; outlives them.
struct InterconnectParts {
    InterconnectConfig config;
    AddressMap map;
    const WorkloadConfig* machine = nullptr;
    AccessClass classes;  ///< of accesses that do not give their own
    InterconnectNetwork* network = nullptr;
    std::vector<InitiatorPort*> initiators;
    std::vector<TargetPort*> targets;
    std::vector<AccessObserver*> observers;
};

/// A message for which a thread waits.
struct Arrival {
    sc_core::sc_event event;
    bool has_come = false;  ///< a first message
    /// What happens if the thread waits no longer.
    InterconnectNetwork::Action instead;

    void come() {
        has_come = true;
        if (instead) {
            instead();
        } else {
            event.notify();
        }
    }
};

/// A transaction on its way through the interconnect.
struct Transit {
    tlm::tlm_generic_payload* payload = nullptr;
    InitiatorPort* initiator = nullptr;
    Access access;  ///< as far as it has come
    MessageClass request_class = 0;
    MessageClass response_class = 0;
    std::uint64_t number = 0;   ///< among those of the initiator
    bool is_at_target = false;  ///< begun there, and not answered
    bool is_counted = false;    ///< as one of `outstanding`
    /// Of a blocking transport whose thread waits for its messages; null for other transports.
    /// Messages keep it: the thread may end before they arrive.
    std::shared_ptr<Arrival> arrived;
};

/// Takes transactions from an initiator and answers them.
class InitiatorPort final : public tlm::tlm_fw_transport_if<> {
public:
    using Payload = tlm::tlm_generic_payload;
    using Socket = tlm::tlm_target_socket<>;

    /// Binds itself to `socket`.
    InitiatorPort(Socket& socket, std::size_t index, InterconnectParts& parts);

    NodeId node() const { return node_; }
    std::size_t index() const { return index_; }
    /// The response to a non-blocking transaction is here.
    void respond(Transit& transit);
    void invalidate(const AddressRange& range);
    const SocketCounts& counts() const { return counts_; }

    void b_transport(Payload& payload, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override;
    unsigned int transport_dbg(Payload& payload) override;

private:
    std::optional<std::size_t> find_target(const Payload& payload) const;
    std::optional<std::size_t> admissible_target(Payload& payload);
    const AccessClass& classes_of(const Payload& payload) const;
    bool has_wrong_class(const Payload& payload) const;
    std::optional<Diagnostic> find_too_long(const Payload& payload, std::uint64_t& bytes) const;
    void add_latencies(std::size_t target, const Payload& payload, tlm::tlm_dmi& dmi) const;
    Transit transit_to(std::size_t target, Payload& payload);
    AccessMessage request_of(const Transit& transit) const;
    void transport(Transit& transit, sc_core::sc_time& delay);
    void transport_ahead(Transit& transit, sc_core::sc_time& delay);
    void end(Transit& transit, const sc_core::sc_time& time);
    tlm::tlm_sync_enum begin_request(Payload& payload, const sc_core::sc_time& delay);
    tlm::tlm_sync_enum end_response(Payload& payload, const sc_core::sc_time& delay);
    void admit(Transit& transit);
    void leave(const Transit& transit);
    void withdraw(Transit& transit);
    void answer_alone(const Transit& transit);
    void send_admitted();
    void send_request(Transit& transit);
    void end_request(Transit& transit);
    void respond_next();
    void complete(Transit& transit);

    Socket& socket_;
    std::size_t index_;
    NodeId node_;
    InterconnectParts& parts_;
    SocketCounts counts_;
    std::unordered_map<Payload*, std::unique_ptr<Transit>> transits_;  // non-blocking ones
    bool requesting_ = false;                                          // BEGIN_REQ without END_REQ
    std::deque<Transit*> admitted_next_;  // wait until fewer are outstanding
    std::uint64_t admitted_ = 0;
    std::uint32_t under_way_ = 0;     // of at most `outstanding`; those that run ahead do not count
    std::deque<Transit*> responses_;  // the first one is the one in progress if responding_
    bool responding_ = false;         // BEGIN_RESP, not completed
    bool response_ending_ = false;    // END_RESP received, with a delay that may not be over
};

/// Passes transactions on to a target and takes its answers.
class TargetPort final : public tlm::tlm_bw_transport_if<> {
public:
    using Payload = tlm::tlm_generic_payload;
    using Socket = tlm::tlm_initiator_socket<>;

    /// Binds itself to `socket`.
    TargetPort(Socket& socket, std::size_t index, InterconnectParts& parts);

    NodeId node() const { return node_; }
    Socket& socket() { return socket_; }
    const SocketCounts& counts() const { return counts_; }
    /// The request of a non-blocking transaction is here.
    void request(Transit& transit);
    /// Passes on a blocking transaction whose request is here after `delay`, from the thread of its
    /// initiator.
    void transport(Transit& transit, sc_core::sc_time& delay);
    /// The target has answered, at `time`. Returns the response to be sent.
    AccessMessage answer(Transit& transit, const sc_core::sc_time& time);
    /// Sends the response on its way, when the target has answered; `arrived` as
    /// InterconnectNetwork::send() calls it.
    void send_response(Transit& transit, InterconnectNetwork::Action arrived);
    /// The target has the transaction no longer: it has answered, or the initiator has gone.
    void end(Transit& transit);

    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;

private:
    /// A transaction that the target has and has not answered yet.
    struct Open {
        Transit* transit = nullptr;
        bool answered = false;  // BEGIN_RESP received, with a delay that may not be over
    };

    std::uint64_t relative(const Transit& transit) const;
    void begin(Transit& transit, const sc_core::sc_time& time);
    void request_next();
    void on_phase(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    void end_request(const Payload* payload);
    void take_response(Payload& payload, bool completed);

    Socket& socket_;
    std::size_t index_;
    NodeId node_;
    InterconnectParts& parts_;
    SocketCounts counts_;
    std::deque<Transit*> requests_;
    const Payload* requesting_ = nullptr;  // BEGIN_REQ without END_REQ
    std::unordered_map<Payload*, Open> open_;
};

}  // namespace flitscope
