// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "hw/packet/packet_interface.h"

namespace flitscope::hw {

void PacketInterface::finish_arrival(Arrival& arrival, Cycle now) {
    deliver(arrival.finish(packets_, now), now);
}

}  // namespace flitscope::hw
