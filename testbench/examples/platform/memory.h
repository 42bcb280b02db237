// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A memory with only a blocking transport; its socket derives the non-blocking one.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstddef>
#include <systemc>
#include <tlm>
#include <vector>

class Memory final : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<Memory> socket{"socket"};

    Memory(sc_core::sc_module_name name, std::size_t size, const sc_core::sc_time& latency)
        : sc_module(name), bytes_(size), latency_(latency) {
        socket.register_b_transport(this, &Memory::transport);
    }

private:
    void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        const sc_dt::uint64 address = payload.get_address();
        const unsigned int length = payload.get_data_length();
        if (payload.get_byte_enable_ptr() != nullptr) {
            payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
            return;
        }
        if (payload.get_streaming_width() < length) {
            payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
            return;
        }
        if (address > bytes_.size() || length > bytes_.size() - address) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        unsigned char* const data = payload.get_data_ptr();
        for (unsigned int i = 0; i < length; ++i) {
            unsigned char& byte = bytes_[address + i];
            if (payload.is_write()) byte = data[i];
            if (payload.is_read()) data[i] = byte;
        }
        delay += latency_;
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    std::vector<unsigned char> bytes_;
    sc_core::sc_time latency_;
};
