// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/app/report/page/page.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/html_text.h"
#include "testbench/app/report/page/page_sources.h"

namespace flitscope {
namespace {

/// JSON in which no tag can end the element around it.
std::string script_json(const Json& data) {
    std::string result;
    for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
        if (c == '<') {
            result += "\\u003c";
        } else {
            result += c;
        }
    }
    return result;
}

}  // namespace

void write_page(std::ostream& out, const Json& data) {
    struct Part {
        std::string_view mark;
        std::string text;
    };
    const std::vector<Part> parts = {{"<!-- title -->", html_text(data.at("title"))},
                                     {"/* style */", kPageStyle},
                                     {"/* data */", script_json(data)},
                                     {"/* script */", kPageScript}};
    std::string_view rest = kPageHtml;
    for (const Part& part : parts) {  // in the order of the page
        const std::size_t at = rest.find(part.mark);
        out << rest.substr(0, at) << part.text;
        rest.remove_prefix(at + part.mark.size());
    }
    out << rest;
}

}  // namespace flitscope
