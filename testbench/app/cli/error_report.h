// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// How the program tells errors: as text for people, or as JSON for programs that called it.
#pragma once

#include <string>
#include <vector>

#include "models/base/diagnostics.h"

namespace flitscope::cli {

/// Whether the command line has --json-errors: looked for before it is parsed, which may fail.
bool asks_for_json_errors(int argc, const char* const* argv);

class ErrorReport {
public:
    explicit ErrorReport(bool is_json) : is_json_(is_json) {}

    /// Prints at most fifty of the findings: a line each on standard error, followed by `help`; or
    /// as one JSON object (JSON.md, "errors") on standard output.
    void tell(const std::vector<Diagnostic>& findings, const std::string& help = {}) const;

private:
    bool is_json_;
};

}  // namespace flitscope::cli
