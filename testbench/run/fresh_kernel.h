// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A fresh SystemC kernel for every simulation, so that one test or benchmark can run thousands.
#pragma once

#include <systemc>

namespace flitscope {

/// While it lives, SystemC objects belong to a kernel of their own. Objects must be gone before.
class FreshKernel {
public:
    FreshKernel() : kernel_(new sc_core::sc_simcontext) {
        sc_core::sc_curr_simcontext = kernel_;
        sc_core::sc_default_global_context = kernel_;
    }
    ~FreshKernel() {
        // libsystemc looks at the current kernel when the process ends, so leave one behind.
        sc_core::sc_curr_simcontext = nullptr;
        sc_core::sc_default_global_context = nullptr;
        delete kernel_;
    }
    FreshKernel(const FreshKernel&) = delete;
    FreshKernel& operator=(const FreshKernel&) = delete;

private:
    sc_core::sc_simcontext* kernel_;
};

}  // namespace flitscope
