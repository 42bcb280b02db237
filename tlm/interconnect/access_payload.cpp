// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tlm/interconnect/access_payload.h"

#include <fmt/format.h>

#include <sstream>

#include "models/config/workload_config.h"

namespace flitscope {

void report_violation(const sc_core::sc_object& socket, const std::string& what) {
    SC_REPORT_ERROR("/flitscope/interconnect/protocol",
                    fmt::format("{}: {}", socket.name(), what).c_str());
}

std::string phase_name(const tlm::tlm_phase& phase) {
    std::ostringstream text;
    text << phase;
    return text.str();
}

std::uint64_t extent(const tlm::tlm_generic_payload& payload) {
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 1;
    const std::uint64_t width = payload.get_streaming_width();
    const std::uint64_t length = payload.get_data_length();
    return width != 0 && width < length ? width : length;
}

std::uint64_t request_bytes(const InterconnectConfig& config,
                            const tlm::tlm_generic_payload& payload) {
    return std::uint64_t{config.header_bytes} +
           (payload.is_write() ? payload.get_data_length() : 0);
}

std::uint64_t response_bytes(const InterconnectConfig& config,
                             const tlm::tlm_generic_payload& payload) {
    return std::uint64_t{config.header_bytes} + (payload.is_read() ? payload.get_data_length() : 0);
}

AccessRequest access_of(const tlm::tlm_generic_payload& payload) {
    AccessRequest access;
    access.command = payload.get_command();
    access.address = payload.get_address();
    access.bytes = payload.get_data_length();
    return access;
}

void report_too_long(const sc_core::sc_object& socket, const tlm::tlm_generic_payload& payload,
                     std::uint64_t bytes, const Diagnostic& found) {
    SC_REPORT_ERROR("/flitscope/interconnect/length",
                    fmt::format("{}: a {} of {} bytes is a message of {}: {} ({})", socket.name(),
                                access_of(payload).command_name(), payload.get_data_length(), bytes,
                                found.what, found.hint)
                        .c_str());
}

void report_class(const sc_core::sc_object& socket, const AccessClass& classes,
                  const WorkloadConfig& machine, const InterconnectConfig& config) {
    const std::uint32_t count = machine.fabric.class_count();
    const bool is_known = classes.request < count && classes.response < count;
    SC_REPORT_ERROR(
        "/flitscope/interconnect/class",
        fmt::format("{}: an access of class {} with a response of class {}, and {}", socket.name(),
                    classes.request, classes.response,
                    is_known ? fmt::format("with interconnect.request_queue: {} all have the "
                                           "classes of the configuration",
                                           config.request_queue)
                             : fmt::format("the network has {} (fabric.classes)", count))
            .c_str());
}

}  // namespace flitscope
