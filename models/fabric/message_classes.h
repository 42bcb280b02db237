// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes of messages: the keys that name them, and what a fabric with classes does not support
// (hw/TIMING.md, "Message classes").
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "models/base/limits.h"
#include "models/config/config_table.h"
#include "models/fabric/refusal.h"

namespace flitscope {

struct WorkloadConfig;

/// The most classes there can be: as many as a channel can have virtual channels.
inline constexpr std::uint64_t kMostClasses = kMaxVirtualChannels;

/// `fabric.classes`, `fabric.class_priorities` and `fabric.class_weights`.
ConfigKeys message_class_keys();

/// A key whose value is one of `fabric.classes`, if there are any; which there are is known when
/// all has been read: check by require_class().
ConfigKey class_key(std::string path, std::string meaning,
                    std::function<std::string&(Config&)> field,
                    std::function<std::string(const Config&)> value);
/// The same with a field as the functions in key_kinds.h take it.
template <class Field>
ConfigKey class_key(std::string path, std::string meaning, Field field) {
    return class_key(std::move(path), std::move(meaning), field, field);
}
/// Reports a class `name`, of the key `path`, that the fabric does not have; none if it is empty.
void require_class(RuleContext& context, const char* path, const std::string& name);
/// The class that is written in a configuration, in a key of a map or as a value.
std::optional<std::string> read_class(const std::string& name, const Location& where,
                                      const ReadContext& context);

/// Whether `text` is a valid class name: unquoted it is read as the same name everywhere.
bool is_class_name(const std::string& text);

/// That nodes which accept a limited number of requests, by the key `path`, can refuse others, and
/// that no request is lost.
void check_request_queue(RuleContext& context, const char* path);

/// An entry of every list for each of them, as many virtual channels for each, and nothing that
/// takes one queue per node. Nor `reply_queue` with nodes that cannot refuse.
void check_message_classes(RuleContext& context);

/// Condition of keys that apply only to fabrics with classes.
Condition message_classes();

/// The refusal of engines without classes; none if the machine has no classes.
std::optional<Refusal> refuse_classes(const WorkloadConfig& config, const char* reason);
/// The refusal of engines, called so, whose nodes take all that arrives.
std::optional<Refusal> refuse_reply_queue(const WorkloadConfig& config, const char* engine);

}  // namespace flitscope
