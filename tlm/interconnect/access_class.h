// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Message classes of single transactions.
#pragma once

#include <tlm>

#include "models/base/types.h"

namespace flitscope {

/// An extension of a transaction that gives its messages other classes than
/// `interconnect.request_class` and `response_class`: numbers of `fabric.classes`, from 0. A class
/// with a priority of its own is the urgent lane of a network. Read at BEGIN_REQ or b_transport.
struct AccessClass final : tlm::tlm_extension<AccessClass> {
    MessageClass request = 0;
    MessageClass response = 0;

    AccessClass() = default;
    AccessClass(MessageClass of_request, MessageClass of_response)
        : request(of_request), response(of_response) {}
    tlm::tlm_extension_base* clone() const override { return new AccessClass(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const AccessClass&>(other);
    }
};

}  // namespace flitscope
