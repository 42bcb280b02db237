// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sockets that bind to sockets of every usual width. TLM-2.0 makes the width (BUSWIDTH) a part of a
// socket's type, to keep apart components that would read each other's data wrongly; an
// interconnect passes data on as they are. Ports and exports have no width: only the type that
// binds them has one, so a socket here is of the type of each width, with one port and one export.
#pragma once

#include <systemc>
#include <tlm>

namespace flitscope {

using ForwardInterface = tlm::tlm_fw_transport_if<>;
using BackwardInterface = tlm::tlm_bw_transport_if<>;

/// The face of width `Width` of a socket: all of it is that of `Socket`, the face of 32 bits.
/// `Whole` is the class that has both, `Face` the interface of such sockets in TLM-2.0, `Called`
/// what its port calls, `Offered` what its export offers.
template <class Whole, class Socket, unsigned int Width, class Face, class Called, class Offered>
class SocketFace : public Face {
public:
    sc_core::sc_port_b<Called>& get_base_port() override { return socket().get_base_port(); }
    const sc_core::sc_port_b<Called>& get_base_port() const override {
        return socket().get_base_port();
    }
    sc_core::sc_export<Offered>& get_base_export() override { return socket().get_base_export(); }
    const sc_core::sc_export<Offered>& get_base_export() const override {
        return socket().get_base_export();
    }
    Offered& get_base_interface() override { return socket().get_base_interface(); }
    const Offered& get_base_interface() const override { return socket().get_base_interface(); }
    unsigned int get_bus_width() const override { return Width; }
    sc_core::sc_type_index get_protocol_types() const override {
        return socket().get_protocol_types();
    }
    tlm::tlm_socket_category get_socket_category() const override {
        return socket().get_socket_category();
    }

private:
    Socket& socket() { return static_cast<Whole&>(*this); }
    const Socket& socket() const { return static_cast<const Whole&>(*this); }
};

template <unsigned int Width>
using TargetFace = tlm::tlm_base_target_socket_b<Width, ForwardInterface, BackwardInterface>;
template <unsigned int Width>
using InitiatorFace = tlm::tlm_base_initiator_socket_b<Width, ForwardInterface, BackwardInterface>;

/// A target socket that is a tlm_target_socket<32>, and of each of `Widths`.
template <unsigned int... Widths>
class TargetSocketOf final
    : public tlm::tlm_target_socket<>,
      public SocketFace<TargetSocketOf<Widths...>, tlm::tlm_target_socket<>, Widths,
                        TargetFace<Widths>, BackwardInterface, ForwardInterface>... {
    using Socket = tlm::tlm_target_socket<>;

public:
    explicit TargetSocketOf(const char* name) : Socket(name) {}

    using Socket::bind;
    using Socket::operator();
    using Socket::get_base_export;
    using Socket::get_base_interface;
    using Socket::get_base_port;
    using Socket::get_bus_width;
    using Socket::get_protocol_types;
    using Socket::get_socket_category;

    /// To an initiator socket of any width, as initiator.bind(*this).
    template <unsigned int Width>
    void bind(InitiatorFace<Width>& initiator) {
        initiator.get_base_port()(get_base_interface());
        get_base_port()(initiator.get_base_interface());
    }
    template <unsigned int Width>
    void operator()(InitiatorFace<Width>& initiator) {
        bind(initiator);
    }
};

/// An initiator socket that is a tlm_initiator_socket<32>, and of each of `Widths`.
template <unsigned int... Widths>
class InitiatorSocketOf final
    : public tlm::tlm_initiator_socket<>,
      public SocketFace<InitiatorSocketOf<Widths...>, tlm::tlm_initiator_socket<>, Widths,
                        InitiatorFace<Widths>, ForwardInterface, BackwardInterface>... {
    using Socket = tlm::tlm_initiator_socket<>;

public:
    explicit InitiatorSocketOf(const char* name) : Socket(name) {}

    using Socket::bind;
    using Socket::operator();
    using Socket::get_base_export;
    using Socket::get_base_interface;
    using Socket::get_base_port;
    using Socket::get_bus_width;
    using Socket::get_protocol_types;
    using Socket::get_socket_category;

    /// To a target socket of any width.
    template <unsigned int Width>
    void bind(TargetFace<Width>& target) {
        get_base_port()(target.get_base_interface());
        target.get_base_port()(get_base_interface());
    }
    /// To an initiator socket of any width of the module around this one.
    template <unsigned int Width>
    void bind(InitiatorFace<Width>& outer) {
        get_base_port()(outer.get_base_port());
        outer.get_base_export()(get_base_export());
    }
    template <unsigned int Width>
    void operator()(TargetFace<Width>& target) {
        bind(target);
    }
    template <unsigned int Width>
    void operator()(InitiatorFace<Width>& outer) {
        bind(outer);
    }
};

using WideTargetSocket = TargetSocketOf<8, 16, 64, 128, 256, 512, 1024, 2048>;
using WideInitiatorSocket = InitiatorSocketOf<8, 16, 64, 128, 256, 512, 1024, 2048>;

}  // namespace flitscope
