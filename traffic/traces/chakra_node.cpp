// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/traces/chakra_node.h"

#include <fmt/format.h>

#include <utility>

#include "models/base/diagnostics.h"
#include "models/base/printable.h"
#include "traffic/traces/wire_format.h"

namespace flitscope {
namespace {

class NodeReader {
public:
    explicit NodeReader(const std::string& source) : source_(source) {}

    ChakraNode read(std::string_view bytes, std::size_t offset) const {
        ChakraNode node;
        node.name = fmt::format("at byte {}", offset);
        WireReader reader(bytes);
        while (!reader.at_end()) {
            const auto field = reader.field();
            if (!field) refuse_node(node.name, "is not a protobuf message");
            read_field(node, *field);
        }
        return node;
    }

private:
    void read_field(ChakraNode& node, const WireField& field) const {
        const auto expect = [&](WireField::Type type) {
            if (field.type == type) return;
            refuse_node(node.name, fmt::format("field {} is of another type", field.id));
        };
        switch (field.id) {
            case 1:
                expect(WireField::Type::kVarint);
                node.id = field.number;
                return;
            case 2:
                expect(WireField::Type::kBytes);
                node.name = excerpt(std::string(field.bytes));
                return;
            case 3:
                expect(WireField::Type::kVarint);
                node.type = field.number;
                return;
            case 4:
                read_dependencies(node.name, field, node.control_dependencies);
                return;
            case 5:
                read_dependencies(node.name, field, node.data_dependencies);
                return;
            case 6:  // when it was recorded: it is played when it can be
                expect(WireField::Type::kVarint);
                return;
            case 7:
                expect(WireField::Type::kVarint);
                node.duration_micros = field.number;
                return;
            case 8:
            case 9:  // shapes and types of tensors
                expect(WireField::Type::kBytes);
                return;
            case 10:
                expect(WireField::Type::kBytes);
                read_attribute(node, field.bytes);
                return;
            default:
                refuse_node(node.name, fmt::format("has an unknown field {}", field.id));
        }
    }

    /// One number, or several in one field.
    void read_dependencies(const std::string& name, const WireField& field,
                           std::vector<std::uint64_t>& all) const {
        if (field.type == WireField::Type::kVarint) {
            all.push_back(field.number);
            return;
        }
        WireReader list(field.bytes);
        while (field.type == WireField::Type::kBytes && !list.at_end()) {
            const auto number = list.varint();
            if (!number) refuse_node(name, "has dependencies that are not numbers");
            all.push_back(*number);
        }
        if (field.type != WireField::Type::kBytes) {
            refuse_node(name, fmt::format("field {} is of another type", field.id));
        }
    }

    void read_attribute(ChakraNode& node, std::string_view bytes) const {
        std::string_view name;
        ChakraAttribute value;
        WireReader reader(bytes);
        while (!reader.at_end()) {
            const auto field = reader.field();
            if (!field) refuse_node(node.name, "has an attribute that is not a protobuf message");
            if (field->id == 1 && field->type == WireField::Type::kBytes) {
                name = field->bytes;
            } else if (field->id >= 3 && field->id <= 32) {
                value = value_of(node, *field);
            } else if (field->id != 2) {
                refuse_node(node.name, fmt::format("has an unknown field {} in attribute '{}'",
                                                   field->id, excerpt(std::string(name))));
            }
        }
        node.attributes[name] = value;
    }

    /// Whole numbers of every kind.
    ChakraAttribute value_of(const ChakraNode& node, const WireField& field) const {
        ChakraAttribute value;
        const auto number = [&](WireField::Type type) {
            if (field.type != type)
                refuse_node(node.name, "has an attribute whose value does not match its type");
            value.is_number = true;
            return field.number;
        };
        const auto set_signed = [&](std::int64_t with_sign) {
            value.is_negative = with_sign < 0;
            value.number = static_cast<std::uint64_t>(with_sign);
        };
        switch (field.id) {
            case 7:  // int32
            case 9:  // int64
                set_signed(static_cast<std::int64_t>(number(WireField::Type::kVarint)));
                break;
            case 11:  // uint32
            case 13:  // uint64
            case 27:  // bool
                value.number = number(WireField::Type::kVarint);
                break;
            case 15:    // sint32
            case 17: {  // sint64
                const std::uint64_t zigzag = number(WireField::Type::kVarint);
                set_signed(static_cast<std::int64_t>(zigzag >> 1U) ^
                           -static_cast<std::int64_t>(zigzag & 1U));
                break;
            }
            case 19:  // fixed32
                value.number = number(WireField::Type::kFixed32);
                break;
            case 21:  // fixed64
                value.number = number(WireField::Type::kFixed64);
                break;
            case 23:  // sfixed32
                set_signed(static_cast<std::int32_t>(
                    static_cast<std::uint32_t>(number(WireField::Type::kFixed32))));
                break;
            case 25:  // sfixed64
                set_signed(static_cast<std::int64_t>(number(WireField::Type::kFixed64)));
                break;
            case 28:  // list of switches: {1: packed}
                value.has_false = has_false(node, field);
                break;
            case 29:
                value.is_text = !field.bytes.empty();
                value.text = excerpt(std::string(field.bytes));
                break;
            default:  // floating-point numbers, bytes and lists: nothing that we look at
                break;
        }
        return value;
    }

    bool has_false(const ChakraNode& node, const WireField& field) const {
        WireReader list(field.bytes);
        while (!list.at_end()) {
            const auto values = list.field();
            if (!values || values->id != 1) refuse_node(node.name, "has a malformed list");
            if (values->type == WireField::Type::kVarint && values->number == 0) return true;
            WireReader packed(values->bytes);
            while (!packed.at_end()) {
                const auto one = packed.varint();
                if (!one) refuse_node(node.name, "has a malformed list");
                if (*one == 0) return true;
            }
        }
        return false;
    }

    [[noreturn]] void refuse_node(const std::string& name, const std::string& what) const {
        refuse_chakra_node(source_, name, what);
    }

    const std::string& source_;
};

}  // namespace

void refuse_chakra_node(const std::string& source, const std::string& name, const std::string& what,
                        std::string hint) {
    throw ConfigError({source, 0, 0}, fmt::format("node '{}': {}", name, what), std::move(hint));
}

std::optional<std::uint64_t> ChakraNode::optional_number(const char* attribute, std::uint64_t most,
                                                         const std::string& source) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end()) return std::nullopt;
    const ChakraAttribute& value = found->second;
    if (!value.is_number || value.is_negative || value.number > most) {
        refuse_chakra_node(
            source, name,
            fmt::format("attribute {} is not a whole number from 0 to {}", attribute, most));
    }
    return value.number;
}

std::uint64_t ChakraNode::number(const char* attribute, std::uint64_t most,
                                 const std::string& source) const {
    const auto value = optional_number(attribute, most, source);
    if (!value) refuse_chakra_node(source, name, fmt::format("has no attribute {}", attribute));
    return *value;
}

ChakraNode read_chakra_node(std::string_view bytes, std::size_t offset, const std::string& source) {
    return NodeReader(source).read(bytes, offset);
}

}  // namespace flitscope
