// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The files of web/, which embed_page.cmake puts into the program.
#pragma once

namespace flitscope {

extern const char* const kPageHtml;
extern const char* const kPageStyle;
extern const char* const kPageScript;  ///< all scripts, in the order of the list in CMakeLists.txt

}  // namespace flitscope
