// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/fabric/rtl_file_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "models/base/input_file.h"
#include "models/base/printable.h"
#include "models/config/value_readers.h"

namespace flitscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 1U << 20;
constexpr std::size_t kDeepest = 16;  // of lists in lists

/// The parts of "a+b+c".
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, '+');) {
        if (!part.empty()) parts.push_back(part);
    }
    return parts;
}

class ListReader {
public:
    ListReader(std::vector<Diagnostic>& findings, RtlModule& module)
        : findings_(findings), module_(module) {}

    void read(const std::string& path, const Location& named_at) {
        if (std::find(open_.begin(), open_.end(), path) != open_.end() ||
            open_.size() == kDeepest) {
            findings_.push_back({named_at, fmt::format("the list {} leads back to itself", path),
                                 "take the line out"});
            return;
        }
        std::string text;
        try {
            text = read_input_file(path, "list of files", kMostBytes, named_at);
        } catch (const ConfigError& error) {
            findings_.insert(findings_.end(), error.findings().begin(), error.findings().end());
            return;
        }
        open_.push_back(path);
        std::istringstream lines(text);
        Location at{path, 0, 0};
        for (std::string line; std::getline(lines, line);) {
            ++at.line;
            read_line(line.substr(0, std::min(line.find("//"), line.find('#'))), at);
        }
        open_.pop_back();
    }

private:
    void read_line(const std::string& line, const Location& at) {
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            if (word == "-f" || word == "-F") {
                std::string other;
                if (words >> other) {
                    read(resolved(other), at);
                } else {
                    refuse(word, at);
                }
            } else {
                take(word, at);
            }
        }
    }

    void take(const std::string& word, const Location& at) {
        static const std::string kInclude = "+incdir+";
        static const std::string kDefine = "+define+";
        if (word.rfind(kInclude, 0) == 0) {
            for (const std::string& part : parts_of(word.substr(kInclude.size()))) {
                module_.include.push_back(resolved(part));
            }
        } else if (word.rfind(kDefine, 0) == 0) {
            for (const std::string& part : parts_of(word.substr(kDefine.size()))) define(part, at);
        } else if (word[0] == '-' || word[0] == '+' || word.find('$') != std::string::npos) {
            refuse(word, at);
        } else {
            module_.sources.push_back(resolved(word));
        }
    }

    void define(const std::string& macro, const Location& at) {
        const std::size_t equals = std::min(macro.find('='), macro.size());
        const std::string name = macro.substr(0, equals);
        const std::string value = macro.substr(std::min(equals + 1, macro.size()));
        if (!kinds::is_identifier(name) || !is_macro_value(value)) return refuse(macro, at);
        module_.defines.emplace_back(name, value);
    }

    void refuse(const std::string& word, const Location& at) {
        findings_.push_back(
            {at, fmt::format("'{}' is not understood in a list of files", excerpt(word)),
             "write names of files, +incdir+DIR, +define+NAME=VALUE or -f LIST, "
             "without variables"});
    }

    std::string resolved(const std::string& name) const {
        return (fs::path(open_.back()).parent_path() / name).lexically_normal().string();
    }

    std::vector<Diagnostic>& findings_;
    RtlModule& module_;
    std::vector<std::string> open_;  // the list being read, and those that led to it
};

}  // namespace

bool is_macro_value(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
               std::string_view("_'.-").find(c) != std::string_view::npos;
    });
}

void read_file_list(const std::string& path, const Location& named_at,
                    std::vector<Diagnostic>& findings, RtlModule& module) {
    ListReader(findings, module).read(path, named_at);
}

}  // namespace flitscope
