// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Base of fabrics whose modules share one clock domain: how a run begins and ends.
#pragma once

#include "hw/common/clock_domain.h"
#include "models/fabric/fabric.h"

namespace flitscope::hw {

class ClockedFabric : public Fabric {
public:
    void start(const RunControl& control) override;
    RunEnd finish() override;
    void halt() override { clock_.set_limit(0); }
    Cycle now() const override { return clock_.now(); }
    Cycle end_cycle() const override;
    Cycle cycles_of_moves() const override = 0;

protected:
    ClockedFabric(double clock_ns, ScanOrder scan_order);

    ClockDomain clock_;
};

}  // namespace flitscope::hw
