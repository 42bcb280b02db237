// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Links only against a SystemC library that was built for the C++ standard in use.
#include <systemc>

int sc_main(int, char**) {
    sc_core::sc_start();
    return 0;
}
