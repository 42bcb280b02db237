// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Which study of a database is meant.
#pragma once

#include <string>

#include "testbench/app/study/explore/database.h"

namespace flitscope::cli {

/// The study of that name, or the latest if `name` is empty. Throws ConfigError if there is none;
/// `path` is that of the database.
study::StudyRow chosen_study(study::Database& database, const std::string& path,
                             const std::string& name);

}  // namespace flitscope::cli
