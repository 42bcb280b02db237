// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs one external program to its end, or kills it with all its children when we are to stop.
#pragma once

#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace flitscope {

struct ToolCommand {
    std::vector<std::string> arguments;              ///< the program itself first
    std::string folder;                              ///< working directory
    std::string log;                                 ///< file in it for standard output and error
    std::map<std::string, std::string> environment;  ///< on top of ours
};

/// Notes SIGINT, SIGTERM and SIGHUP while in scope, instead of letting them end the process
/// (ignored ones stay ignored). The destructor restores the old behaviour, which then acts on a
/// signal that came.
class SignalWatch {
public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    /// Number of the signal that came, or 0.
    static int caught();

private:
    struct Previous {
        int number;
        struct sigaction action;
    };
    std::vector<Previous> previous_;
};

/// Runs the command, without a shell and with nothing on its standard input, and calls `proceed`
/// about every tenth of a second. False: `proceed` returned false and the program was killed.
/// Throws std::runtime_error with the last lines of the log when the program cannot be started,
/// returns anything but 0, or dies.
bool run_tool(const ToolCommand& command, const std::function<bool()>& proceed);

/// The last lines of a text, for a message.
std::string last_lines(const std::string& text);

}  // namespace flitscope
