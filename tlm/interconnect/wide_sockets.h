// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Sockets that bind to sockets of any width. TLM-2.0 makes the width (BUSWIDTH) a part of a
// socket's type, to keep apart components that would read each other's data wrongly; an
// interconnect passes data on as they are. Port and export of a socket do not depend on the width:
// only the type that binds them does, so such a type is made for the width that is asked for.
#pragma once

#include <map>
#include <memory>
#include <systemc>
#include <tlm>

namespace flitscope {

using ForwardInterface = tlm::tlm_fw_transport_if<>;
using BackwardInterface = tlm::tlm_bw_transport_if<>;

/// A target socket as one of width `Width`: its port and its export.
template <unsigned int Width>
class TargetSocketView final
    : public tlm::tlm_base_target_socket_b<Width, ForwardInterface, BackwardInterface> {
public:
    explicit TargetSocketView(tlm::tlm_target_socket<>& socket) : socket_(socket) {}

    sc_core::sc_port_b<BackwardInterface>& get_base_port() override {
        return socket_.get_base_port();
    }
    const sc_core::sc_port_b<BackwardInterface>& get_base_port() const override {
        return socket_.get_base_port();
    }
    sc_core::sc_export<ForwardInterface>& get_base_export() override {
        return socket_.get_base_export();
    }
    const sc_core::sc_export<ForwardInterface>& get_base_export() const override {
        return socket_.get_base_export();
    }
    ForwardInterface& get_base_interface() override { return socket_.get_base_interface(); }
    const ForwardInterface& get_base_interface() const override {
        return socket_.get_base_interface();
    }
    unsigned int get_bus_width() const override { return Width; }
    sc_core::sc_type_index get_protocol_types() const override {
        return socket_.get_protocol_types();
    }
    tlm::tlm_socket_category get_socket_category() const override { return tlm::TLM_TARGET_SOCKET; }

private:
    tlm::tlm_target_socket<>& socket_;
};

/// An initiator socket as one of width `Width`.
template <unsigned int Width>
class InitiatorSocketView final
    : public tlm::tlm_base_initiator_socket_b<Width, ForwardInterface, BackwardInterface> {
public:
    explicit InitiatorSocketView(tlm::tlm_initiator_socket<>& socket) : socket_(socket) {}

    sc_core::sc_port_b<ForwardInterface>& get_base_port() override {
        return socket_.get_base_port();
    }
    const sc_core::sc_port_b<ForwardInterface>& get_base_port() const override {
        return socket_.get_base_port();
    }
    sc_core::sc_export<BackwardInterface>& get_base_export() override {
        return socket_.get_base_export();
    }
    const sc_core::sc_export<BackwardInterface>& get_base_export() const override {
        return socket_.get_base_export();
    }
    BackwardInterface& get_base_interface() override { return socket_.get_base_interface(); }
    const BackwardInterface& get_base_interface() const override {
        return socket_.get_base_interface();
    }
    unsigned int get_bus_width() const override { return Width; }
    sc_core::sc_type_index get_protocol_types() const override {
        return socket_.get_protocol_types();
    }
    tlm::tlm_socket_category get_socket_category() const override {
        return tlm::TLM_INITIATOR_SOCKET;
    }

private:
    tlm::tlm_initiator_socket<>& socket_;
};

/// What both kinds of socket have: their views, and binding to sockets of every width.
template <class Socket, template <unsigned int> class View>
class AnyWidth : public Socket {
public:
    explicit AnyWidth(const char* name) : Socket(name) {}

    /// The width of the socket that this one is bound to; 32 before it is bound.
    unsigned int get_bus_width() const override { return width_; }

    /// This socket as one of width `Width`. Needed only to bind a target socket of another width
    /// than 32 of the module around it: outer.bind(inner.of_width<64>()), as an export converts to
    /// the interface that it exports, too.
    template <unsigned int Width>
    View<Width>& of_width() {
        width_ = Width;
        std::shared_ptr<void>& made = views_[Width];
        if (made == nullptr) made = std::make_shared<View<Width>>(*this);
        return *static_cast<View<Width>*>(made.get());
    }

private:
    unsigned int width_ = 32;
    std::map<unsigned int, std::shared_ptr<void>> views_;  // of the widths asked for
};

/// A target socket of the base protocol for initiator sockets of any width. It is a
/// tlm_target_socket<32>.
class WideTargetSocket final : public AnyWidth<tlm::tlm_target_socket<>, TargetSocketView> {
    template <unsigned int Width>
    using Initiator = tlm::tlm_base_initiator_socket_b<Width, ForwardInterface, BackwardInterface>;
    template <unsigned int Width>
    using Target = tlm::tlm_base_target_socket_b<Width, ForwardInterface, BackwardInterface>;

public:
    using AnyWidth::AnyWidth;
    using tlm::tlm_target_socket<>::bind;
    using tlm::tlm_target_socket<>::operator();

    /// initiator.bind(this), for an initiator of any width.
    template <unsigned int Width>
    operator Target<Width>&() {
        return of_width<Width>();
    }
    /// The same, said from this side.
    template <unsigned int Width>
    void bind(Initiator<Width>& initiator) {
        initiator.get_base_port()(this->get_base_interface());
        of_width<Width>().get_base_port()(initiator.get_base_interface());
    }
    template <unsigned int Width>
    void operator()(Initiator<Width>& initiator) {
        bind(initiator);
    }
};

/// An initiator socket of the base protocol for target sockets of any width; also bound to an
/// initiator socket of the module around it. It is a tlm_initiator_socket<32>.
class WideInitiatorSocket final
    : public AnyWidth<tlm::tlm_initiator_socket<>, InitiatorSocketView> {
    template <unsigned int Width>
    using Initiator = tlm::tlm_base_initiator_socket_b<Width, ForwardInterface, BackwardInterface>;
    template <unsigned int Width>
    using Target = tlm::tlm_base_target_socket_b<Width, ForwardInterface, BackwardInterface>;

public:
    using AnyWidth::AnyWidth;
    using tlm::tlm_initiator_socket<>::bind;
    using tlm::tlm_initiator_socket<>::operator();

    /// target.bind(this), for a target of any width.
    template <unsigned int Width>
    operator Initiator<Width>&() {
        return of_width<Width>();
    }
    template <unsigned int Width>
    void bind(Target<Width>& target) {
        of_width<Width>().get_base_port()(target.get_base_interface());
        target.get_base_port()(this->get_base_interface());
    }
    template <unsigned int Width>
    void operator()(Target<Width>& target) {
        bind(target);
    }
    /// To the socket of the module around this one.
    template <unsigned int Width>
    void bind(Initiator<Width>& outer) {
        of_width<Width>().get_base_port()(outer.get_base_port());
        outer.get_base_export()(this->get_base_export());
    }
    template <unsigned int Width>
    void operator()(Initiator<Width>& outer) {
        bind(outer);
    }
};

}  // namespace flitscope
