// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Included before everything else in verilated code: its prints go through us.
#pragma once

int flitscope_rtl_print(const char* format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF flitscope_rtl_print
