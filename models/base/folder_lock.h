// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One process at a time in a folder.
#pragma once

#include <string>

namespace flitscope {

/// Locks a folder against other processes that do the same; the constructor waits for the lock. It
/// leaves nothing in the folder, and ends with the process however that ends. On a file system
/// without locks it does nothing.
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
