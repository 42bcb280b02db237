// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The data of the page of a study.
#pragma once

#include <string>

#include "testbench/app/report/report.h"
#include "testbench/app/study/explore/database.h"

namespace flitscope {

/// The data of the page (README.md, "Data of a study").
Json study_page_json(study::Database& database, const study::StudyRow& study,
                     const std::string& command);

}  // namespace flitscope
