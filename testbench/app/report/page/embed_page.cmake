# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# Writes OUTPUT, a C++ source with the contents of FILES (page.html; page.css; scripts in order) as
# the constants of page_sources.h: cmake -DOUTPUT=... -DFILES=... -P embed_page.cmake

# A literal may not be longer than 64 KiB by the standard, so long texts are several in a row.
function(literal result text)
    set(literals "")
    string(LENGTH "${text}" length)
    set(from 0)
    while(from LESS length)
        string(SUBSTRING "${text}" ${from} 8000 piece)
        string(APPEND literals "R\"page(${piece})page\"\n")
        math(EXPR from "${from} + 8000")
    endwhile()
    set(${result} "${literals}" PARENT_SCOPE)
endfunction()

list(POP_FRONT FILES html_file style_file)
file(READ "${html_file}" html)
file(READ "${style_file}" style)
set(script "")
foreach(file IN LISTS FILES)
    file(READ "${file}" text)
    string(APPEND script "${text}")
endforeach()
literal(html "${html}")
literal(style "${style}")
literal(script "${script}")
file(WRITE "${OUTPUT}" "// Made by embed_page.cmake.
#include \"testbench/app/report/page/page_sources.h\"

namespace flitscope {
const char* const kPageHtml =
${html};
const char* const kPageStyle =
${style};
const char* const kPageScript =
${script};
}  // namespace flitscope
")
