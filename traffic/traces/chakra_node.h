// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// One node of an execution trace of Chakra (message Node of schema/protobuf/et_def.proto), as far
// as it matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flitscope {

/// The supported part of an attribute: a whole number, or none of these.
struct ChakraAttribute {
    bool is_number = false;
    bool is_negative = false;
    std::uint64_t number = 0;
    bool has_false = false;  ///< a list of booleans, one of which is false
    bool is_text = false;
    std::string text;
};

struct ChakraNode {
    std::uint64_t id = 0;
    std::string name;
    std::uint64_t type = 0;
    std::uint64_t duration_micros = 0;
    std::vector<std::uint64_t> control_dependencies;
    std::vector<std::uint64_t> data_dependencies;
    /// By name, which is a part of the bytes read.
    std::unordered_map<std::string_view, ChakraAttribute> attributes;

    /// A whole number from 0 to `most`, if there is such an attribute. Throws ConfigError, with
    /// `source` as the file, if it is another value.
    std::optional<std::uint64_t> optional_number(const char* attribute, std::uint64_t most,
                                                 const std::string& source) const;
    /// The same; missing data of the trace is not made up: throws if there is none.
    std::uint64_t number(const char* attribute, std::uint64_t most,
                         const std::string& source) const;
};

/// Reads the message `bytes`, which begins `offset` bytes into the file `source`. Throws
/// ConfigError, with the name of the node, for what is not such a message, and for unknown fields.
ChakraNode read_chakra_node(std::string_view bytes, std::size_t offset, const std::string& source);

/// Throws the finding about a node.
[[noreturn]] void refuse_chakra_node(const std::string& source, const std::string& name,
                                     const std::string& what, std::string hint = {});

}  // namespace flitscope
