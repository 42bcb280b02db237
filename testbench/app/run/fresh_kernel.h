// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// A fresh SystemC kernel for every simulation, so that one test or benchmark can run thousands; and
// how it is run.
#pragma once

#include <new>
#include <string>
#include <systemc>

namespace flitscope {

/// Gives SystemC objects a separate kernel while in scope. The objects must be destroyed before it.
class FreshKernel {
public:
    FreshKernel() { make_current(kernel_); }
    ~FreshKernel() {
        delete kernel_;  // while it is current: without one, SystemC would create one
        make_current(previous_);
    }
    FreshKernel(const FreshKernel&) = delete;
    FreshKernel& operator=(const FreshKernel&) = delete;

private:
    static void make_current(sc_core::sc_simcontext* kernel) {
        sc_core::sc_curr_simcontext = kernel;
        sc_core::sc_default_global_context = kernel;
    }

    sc_core::sc_simcontext* const previous_ = sc_core::sc_curr_simcontext;
    sc_core::sc_simcontext* const kernel_ = new sc_core::sc_simcontext;
};

/// sc_start(), which returns when no event is left. SystemC makes a report of whatever a process
/// throws; that there is no memory left is thrown as what it was.
inline void run_kernel() {
    try {
        sc_core::sc_start();
    } catch (const sc_core::sc_report& report) {
        const std::bad_alloc no_memory;
        if (std::string(report.get_msg()) == no_memory.what()) throw no_memory;
        throw;
    }
}

}  // namespace flitscope
