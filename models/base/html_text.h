// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Text of unknown origin, for pages and for labels of Graphviz.
#pragma once

#include <string>

namespace flitscope {

/// `text` as HTML that shows it: no tag and no entity in it. Not for attributes: quotes stay.
std::string html_text(const std::string& text);

}  // namespace flitscope
