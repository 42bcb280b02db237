// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One process at a time in a folder.
#pragma once

#include <string>

namespace flitscope {

/// While it lives no other process has one of the same folder; the constructor waits for that. It
/// leaves nothing in the folder, and ends with the process however that ends. Where a file system
/// has no locks there is none.
class FolderLock {
public:
    explicit FolderLock(const std::string& folder);
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

private:
    int descriptor_;
};

}  // namespace flitscope
