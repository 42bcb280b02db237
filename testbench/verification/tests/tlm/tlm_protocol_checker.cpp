// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/verification/tests/tlm/tlm_protocol_checker.h"

#include <fmt/format.h>

#include <sstream>

namespace flitscope {
namespace {

std::string name_of(const tlm::tlm_phase& phase) {
    std::ostringstream text;
    text << phase;
    return text.str();
}

bool is_extended(const tlm::tlm_phase& phase) { return phase > tlm::END_RESP; }

std::vector<unsigned char> copy(const unsigned char* data, unsigned int length) {
    return data == nullptr ? std::vector<unsigned char>() : std::vector(data, data + length);
}

std::vector<tlm::tlm_extension_base*> extensions_of(const tlm::tlm_generic_payload& payload) {
    std::vector<tlm::tlm_extension_base*> extensions;
    for (unsigned int i = 0; i < tlm::max_num_extensions(); ++i) {
        extensions.push_back(payload.get_extension(i));
    }
    return extensions;
}

}  // namespace

TlmProtocolChecker::Attributes::Attributes(const Payload& payload)
    : command(payload.get_command()),
      address(payload.get_address()),
      data(payload.get_data_ptr()),
      length(payload.get_data_length()),
      byte_enable(payload.get_byte_enable_ptr()),
      byte_enable_length(payload.get_byte_enable_length()),
      streaming_width(payload.get_streaming_width()),
      has_mm(payload.has_mm()),
      enabled(copy(byte_enable, byte_enable_length)),
      extensions(extensions_of(payload)) {
    if (payload.is_write()) written = copy(data, length);
}

TlmProtocolChecker::TlmProtocolChecker(sc_core::sc_module_name name) : sc_module(name) {
    from_initiator.bind(*this);
    to_target.bind(*this);
}

// ---- Blocking transport -------------------------------------------------------------------------

void TlmProtocolChecker::b_transport(Payload& payload, sc_core::sc_time& delay) {
    check_begin(payload, "b_transport");
    if (payload.has_mm() && payload.get_ref_count() == 0) {
        report("b_transport: reference count 0");
    }
    if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_) {
        report("b_transport from a method process");
    }
    const auto under_way = transactions_.find(&payload);
    if (under_way != transactions_.end()) {
        report(under_way->second.blocking ? "b_transport of a transaction that is in b_transport"
                                          : "b_transport of a transaction between phases");
        to_target->b_transport(payload, delay);
        return;
    }
    const sc_core::sc_time start = sc_core::sc_time_stamp() + delay;
    transactions_.emplace(&payload, Transaction{Attributes(payload), true, tlm::BEGIN_REQ, start});
    to_target->b_transport(payload, delay);
    Transaction& transaction = transactions_.at(&payload);
    check_time(transaction, delay);
    check_unchanged(transaction.attributes, payload);
    check_response(payload);
    end(payload);
}

// ---- Non-blocking transport ---------------------------------------------------------------------

tlm::tlm_sync_enum TlmProtocolChecker::nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
    check_managed(payload, "nb_transport_fw");
    const tlm::tlm_phase called = phase;
    const sc_core::sc_time called_delay = delay;
    if (called == tlm::BEGIN_REQ) {
        begin(payload, delay);
    } else if (called == tlm::END_RESP) {
        if (enter(payload, phase, delay)) end(payload);
    } else if (!is_extended(called)) {
        report(name_of(called) + " on the forward path");
    }
    const tlm::tlm_sync_enum answer = to_target->nb_transport_fw(payload, phase, delay);
    check_untouched(answer, called, phase, called_delay, delay);
    if (answer == tlm::TLM_ACCEPTED || is_extended(called)) return answer;
    if (called == tlm::END_RESP) {
        if (answer == tlm::TLM_UPDATED) report(name_of(phase) + " in answer to END_RESP");
    } else if (answer == tlm::TLM_COMPLETED) {
        const auto found = transactions_.find(&payload);
        if (found == transactions_.end()) return answer;
        check_time(found->second, delay);
        check_unchanged(found->second.attributes, payload);
        check_response(payload);
        end(payload);
    } else if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
        enter(payload, phase, delay);
    } else if (!is_extended(phase)) {
        report(name_of(phase) + " in answer to BEGIN_REQ");
    }
    return answer;
}

tlm::tlm_sync_enum TlmProtocolChecker::nb_transport_bw(Payload& payload, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
    check_managed(payload, "nb_transport_bw");
    const tlm::tlm_phase called = phase;
    const sc_core::sc_time called_delay = delay;
    if (called == tlm::END_REQ || called == tlm::BEGIN_RESP) {
        enter(payload, phase, delay);
    } else if (!is_extended(called)) {
        report(name_of(called) + " on the backward path");
    }
    const tlm::tlm_sync_enum answer = from_initiator->nb_transport_bw(payload, phase, delay);
    check_untouched(answer, called, phase, called_delay, delay);
    if (answer == tlm::TLM_ACCEPTED || is_extended(called)) return answer;
    if (called != tlm::BEGIN_RESP) {
        report(fmt::format("{} answered with more than TLM_ACCEPTED", name_of(called)));
    } else if (answer == tlm::TLM_COMPLETED) {
        if (transactions_.count(&payload) == 0) return answer;
        check_time(transactions_.at(&payload), delay);
        check_unchanged(transactions_.at(&payload).attributes, payload);
        end(payload);
    } else if (phase == tlm::END_RESP) {
        if (enter(payload, phase, delay)) end(payload);
    } else if (!is_extended(phase)) {
        report(name_of(phase) + " in answer to BEGIN_RESP");
    }
    return answer;
}

void TlmProtocolChecker::begin(Payload& payload, const sc_core::sc_time& delay) {
    check_begin(payload, "BEGIN_REQ");
    const auto under_way = transactions_.find(&payload);
    if (under_way != transactions_.end()) {
        report(under_way->second.blocking ? "BEGIN_REQ of a transaction that is in b_transport"
                                          : "BEGIN_REQ of a transaction between phases");
        return;
    }
    if (requesting_ != nullptr) report("BEGIN_REQ while another request is in progress");
    requesting_ = &payload;
    transactions_.emplace(&payload, Transaction{Attributes(payload), false, tlm::BEGIN_REQ,
                                                sc_core::sc_time_stamp() + delay});
}

/// A phase after BEGIN_REQ, by call or in answer to one; false when it cannot be placed.
bool TlmProtocolChecker::enter(Payload& payload, const tlm::tlm_phase& phase,
                               const sc_core::sc_time& delay) {
    const auto found = transactions_.find(&payload);
    if (found == transactions_.end() || found->second.blocking) {
        report(name_of(phase) + " of a transaction that has not begun");
        return false;
    }
    Transaction& transaction = found->second;
    if (!is_next(transaction.phase, phase)) {
        report(fmt::format("{} after {}", name_of(phase), name_of(transaction.phase)));
    }
    transaction.phase = phase;
    check_time(transaction, delay);
    check_unchanged(transaction.attributes, payload);
    if (requesting_ == &payload) requesting_ = nullptr;  // BEGIN_RESP says END_REQ as well
    if (phase == tlm::BEGIN_RESP) {
        if (responding_ != nullptr) report("BEGIN_RESP while another response is in progress");
        responding_ = &payload;
        check_response(payload);
    }
    return true;
}

bool TlmProtocolChecker::is_next(const tlm::tlm_phase& from, const tlm::tlm_phase& to) {
    if (to == tlm::END_REQ) return from == tlm::BEGIN_REQ;
    if (to == tlm::BEGIN_RESP) return from == tlm::BEGIN_REQ || from == tlm::END_REQ;
    return from == tlm::BEGIN_RESP;
}

void TlmProtocolChecker::end(Payload& payload) {
    if (requesting_ == &payload) requesting_ = nullptr;
    if (responding_ == &payload) responding_ = nullptr;
    transactions_.erase(&payload);
    ++ended_;
}

// ---- Rules --------------------------------------------------------------------------------------

void TlmProtocolChecker::report(const std::string& what) { violations_.push_back(what); }

void TlmProtocolChecker::check_managed(const Payload& payload, const char* call) {
    if (!payload.has_mm()) {
        report(fmt::format("{} without a memory manager", call));
    } else if (payload.get_ref_count() == 0) {
        report(fmt::format("{}: reference count 0", call));
    }
}

void TlmProtocolChecker::check_begin(const Payload& payload, const char* call) {
    const bool moves_data = payload.get_command() != tlm::TLM_IGNORE_COMMAND;
    const auto expect = [&](bool holds, const char* what) {
        if (!holds) report(fmt::format("{}: {}", call, what));
    };
    expect(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE,
           "response status is not TLM_INCOMPLETE_RESPONSE");
    expect(!payload.is_dmi_allowed(), "DMI hint is set");
    expect(!moves_data || payload.get_data_ptr() != nullptr, "no data pointer");
    expect(!moves_data || payload.get_data_length() != 0, "data length 0");
    expect(payload.get_streaming_width() != 0, "streaming width 0");
    expect(payload.get_byte_enable_ptr() == nullptr || payload.get_byte_enable_length() != 0,
           "byte enable length 0");
    expect(payload.get_gp_option() == tlm::TLM_MIN_PAYLOAD, "option is not TLM_MIN_PAYLOAD");
}

void TlmProtocolChecker::check_unchanged(const Attributes& before, const Payload& payload) {
    const auto expect = [&](bool holds, const char* what) {
        if (!holds) report(fmt::format("{} changed", what));
    };
    expect(payload.get_command() == before.command, "command");
    expect(payload.get_address() == before.address, "address");
    expect(payload.get_data_ptr() == before.data, "data pointer");
    expect(payload.get_data_length() == before.length, "data length");
    expect(payload.get_byte_enable_ptr() == before.byte_enable, "byte enable pointer");
    expect(payload.get_byte_enable_length() == before.byte_enable_length, "byte enable length");
    expect(payload.get_streaming_width() == before.streaming_width, "streaming width");
    expect(payload.has_mm() == before.has_mm, "memory manager");
    const bool same_arrays = payload.get_data_ptr() == before.data &&
                             payload.get_data_length() == before.length &&
                             payload.get_byte_enable_ptr() == before.byte_enable &&
                             payload.get_byte_enable_length() == before.byte_enable_length;
    if (same_arrays) {
        expect(before.command != tlm::TLM_WRITE_COMMAND ||
                   copy(before.data, before.length) == before.written,
               "data of a write");
        expect(copy(before.byte_enable, before.byte_enable_length) == before.enabled,
               "byte enables");
    }
    const std::vector<tlm::tlm_extension_base*> now = extensions_of(payload);
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (before.extensions[i] != nullptr) {
            expect(now[i] == before.extensions[i], "extension of the initiator");
        } else if (now[i] != nullptr && !payload.has_mm()) {
            report("extension left behind in a transaction without a memory manager");
        }
    }
}

void TlmProtocolChecker::check_response(const Payload& payload) {
    if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
        report("response with status TLM_INCOMPLETE_RESPONSE");
    }
}

void TlmProtocolChecker::check_time(Transaction& transaction, const sc_core::sc_time& delay) {
    const sc_core::sc_time time = sc_core::sc_time_stamp() + delay;
    if (time < transaction.time) report("time of a transaction goes back");
    transaction.time = time;
}

void TlmProtocolChecker::check_untouched(tlm::tlm_sync_enum answer, const tlm::tlm_phase& before,
                                         const tlm::tlm_phase& after,
                                         const sc_core::sc_time& delay_before,
                                         const sc_core::sc_time& delay_after) {
    if (answer != tlm::TLM_ACCEPTED) return;
    if (after != before) report("TLM_ACCEPTED with another phase");
    if (delay_after != delay_before) report("TLM_ACCEPTED with another delay");
}

// ---- Direct memory and debug --------------------------------------------------------------------

bool TlmProtocolChecker::get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) {
    const Attributes before(payload);
    const bool granted = to_target->get_direct_mem_ptr(payload, dmi);
    check_unchanged(before, payload);
    if (dmi.is_none_allowed()) report("get_direct_mem_ptr names no access");
    if (before.address < dmi.get_start_address() || before.address > dmi.get_end_address()) {
        report("get_direct_mem_ptr answers for a region without the address");
    }
    if (granted && dmi.get_dmi_ptr() == nullptr) report("get_direct_mem_ptr grants no pointer");
    return granted;
}

void TlmProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
    if (start > end) report("invalidate_direct_mem_ptr ends before it begins");
    from_initiator->invalidate_direct_mem_ptr(start, end);
}

unsigned int TlmProtocolChecker::transport_dbg(Payload& payload) {
    const Attributes before(payload);
    const unsigned int bytes = to_target->transport_dbg(payload);
    check_unchanged(before, payload);
    if (bytes > before.length) report("transport_dbg moves more bytes than asked for");
    return bytes;
}

}  // namespace flitscope
