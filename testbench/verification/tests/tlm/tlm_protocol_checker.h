// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A module between an initiator and a target of the TLM-2.0 base protocol that passes everything
// through and writes down every rule of the protocol that one of them breaks.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace flitscope {

/// Rules of IEEE 1666-2011: phases and their order, exclusion of requests and of responses,
/// annotated times, memory management, attributes, response status, extensions. Beyond the standard
/// it expects the address to be as at the start whenever a call passes: an interconnect that
/// translates addresses restores them.
class TlmProtocolChecker final : public sc_core::sc_module,
                                 public tlm::tlm_fw_transport_if<>,
                                 public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_target_socket<> from_initiator{"from_initiator"};
    tlm::tlm_initiator_socket<> to_target{"to_target"};

    explicit TlmProtocolChecker(sc_core::sc_module_name name);

    /// One sentence each, in the order in which they happened.
    const std::vector<std::string>& violations() const { return violations_; }
    /// Transactions that have ended.
    std::uint64_t ended() const { return ended_; }
    /// Transactions that have begun and not ended.
    std::size_t under_way() const { return transactions_.size(); }

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override;
    unsigned int transport_dbg(tlm::tlm_generic_payload& payload) override;

private:
    using Payload = tlm::tlm_generic_payload;
    using Bytes = std::vector<unsigned char>;

    /// Fields that must not change while a transaction is in progress.
    struct Attributes {
        tlm::tlm_command command;
        sc_dt::uint64 address;
        unsigned char* data;
        unsigned int length;
        unsigned char* byte_enable;
        unsigned int byte_enable_length;
        unsigned int streaming_width;
        bool has_mm;
        Bytes written;
        Bytes enabled;
        std::vector<tlm::tlm_extension_base*> extensions;

        explicit Attributes(const Payload& payload);
    };
    struct Transaction {
        Attributes attributes;
        bool blocking;
        tlm::tlm_phase phase;
        sc_core::sc_time time;  // time of the last call or return, annotation included
    };

    void report(const std::string& what);
    void check_managed(const Payload& payload, const char* call);
    void check_begin(const Payload& payload, const char* call);
    void check_unchanged(const Attributes& before, const Payload& payload);
    void check_response(const Payload& payload);
    void check_time(Transaction& transaction, const sc_core::sc_time& delay);
    void check_untouched(tlm::tlm_sync_enum answer, const tlm::tlm_phase& before,
                         const tlm::tlm_phase& after, const sc_core::sc_time& delay_before,
                         const sc_core::sc_time& delay_after);
    bool enter(Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    static bool is_next(const tlm::tlm_phase& from, const tlm::tlm_phase& to);
    void begin(Payload& payload, const sc_core::sc_time& delay);
    void end(Payload& payload);

    std::unordered_map<Payload*, Transaction> transactions_;
    const Payload* requesting_ = nullptr;
    const Payload* responding_ = nullptr;
    std::vector<std::string> violations_;
    std::uint64_t ended_ = 0;
};

}  // namespace flitscope
