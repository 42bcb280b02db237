// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// For libraries that speak to the user by themselves.
#pragma once

namespace flitscope {

/// While it lives nothing that the process writes to standard error arrives there: METIS tells of
/// memory that ends in it before it returns that as an error. Only while no other thread has
/// anything to say; where there are no file descriptors left, nothing changes.
class QuietErrors {
public:
    QuietErrors();
    ~QuietErrors();
    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;

private:
    int errors_ = -1;  // where they go otherwise
};

}  // namespace flitscope
