// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/packet_interface.h"

namespace flitscope::hw {

void PacketInterface::tell_arrival(Arrival& arrival, const Flit& flit, Cycle now) {
    if (flit.head && tells_heads()) {
        if (observers_.outbox != nullptr) {
            observers_.outbox->arriving(*this, arrival, now);
        } else {
            begin_arrival(arrival, now);
        }
    }
    if (flit.tail) finish_arrival(arrival, now);
}

void PacketInterface::finish_arrival(Arrival& arrival, Cycle now) {
    if (observers_.outbox != nullptr) {
        observers_.outbox->arrived(*this, arrival, now);
    } else {
        end_arrival(arrival, now);
    }
}

}  // namespace flitscope::hw
