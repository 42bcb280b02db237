// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the tree from the events of yaml-cpp's parser. Events rather than YAML::Node: nodes share
// aliased values, lose repeated keys on look-up, and are built without a bound on their depth.
#include "models/config/config_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <utility>

#include "models/base/byte_order_mark.h"
#include "models/base/printable.h"
#include "models/config/value_readers.h"

namespace flitscope {

namespace {

/// Places in a source; a source without lines is a value of the command line.
struct Source {
    std::string name;
    bool has_lines = true;

    Location at(std::size_t line, std::size_t column) const {
        return has_lines ? Location{name, line, column} : Location{name, 0, 0};
    }
    Location at(const YAML::Mark& mark) const {
        if (mark.is_null()) return {name, 0, 0};
        return at(static_cast<std::size_t>(mark.line) + 1,
                  static_cast<std::size_t>(mark.column) + 1);
    }
};

/// The maximum entries of a text, counted by commas, brackets and ends of lines before parsing.
/// Parsed, each takes some 150 bytes and a microsecond.
constexpr std::size_t kMostEntries = 1U << 23;

class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(const std::string& text, const Source& source, std::vector<Diagnostic>& findings)
        : text_(text), source_(source), findings_(findings) {
        root_.where = source_.at(YAML::Mark::null_mark());
    }

    ConfigTree take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ > 1) {
            throw ConfigError(source_.at(mark), "a second YAML document begins here",
                              "write one document; remove the line '---' or '...'");
        }
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        if (expects_key()) refuse_key(mark);
        add(make(ConfigTree::Kind::kNull, mark));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark); }
    void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_anchor(mark); }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  const std::string& value) override {
        refuse_tag(mark, tag);
        const bool quoted = tag == "!";  // yaml-cpp: "?" for plain scalars, "!" for all others
        if (quoted) check_closed(mark);
        if (expects_key()) {
            begin_entry(mark, value, quoted);
            return;
        }
        ConfigTree scalar = make(ConfigTree::Kind::kScalar, mark);
        scalar.text = value;
        scalar.quoted = quoted;
        add(std::move(scalar));
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        open(ConfigTree::Kind::kSequence, mark, tag);
    }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        open(ConfigTree::Kind::kMap, mark, tag);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

private:
    /// A list or map that is still being read.
    struct Open {
        ConfigTree tree;
        bool has_key = false;  ///< map: a key was read and waits for its value
        std::string key;
        Location key_where;
        std::map<std::string, Location> keys;  ///< map: those read so far
    };

    ConfigTree make(ConfigTree::Kind kind, const YAML::Mark& mark) const {
        ConfigTree tree;
        tree.kind = kind;
        tree.where = source_.at(mark);
        return tree;
    }
    bool expects_key() const {
        return !open_.empty() && open_.back().tree.is_map() && !open_.back().has_key;
    }
    void begin_entry(const YAML::Mark& mark, const std::string& key, bool quoted) {
        if (key == "<<" && !quoted) {
            throw ConfigError(source_.at(mark), "merge keys ('<<') are not supported",
                              "write the keys out");
        }
        Open& map = open_.back();
        map.has_key = true;
        map.key = key;
        map.key_where = source_.at(mark);
    }
    void open(ConfigTree::Kind kind, const YAML::Mark& mark, const std::string& tag) {
        refuse_tag(mark, tag);
        if (expects_key()) refuse_key(mark);
        if (open_.size() == kMaxConfigDepth) {
            throw ConfigError(source_.at(mark), "lists and maps are nested more than " +
                                                    std::to_string(kMaxConfigDepth) +
                                                    " levels deep");
        }
        open_.push_back({make(kind, mark), false, {}, {}, {}});
    }
    void close() {
        ConfigTree tree = std::move(open_.back().tree);
        open_.pop_back();
        add(std::move(tree));
    }
    void add(ConfigTree tree) {
        if (open_.empty()) {
            root_ = std::move(tree);
            return;
        }
        Open& parent = open_.back();
        if (parent.tree.is_map()) {
            parent.has_key = false;
            tree.key = parent.key;
            tree.key_where = parent.key_where;
            // A missing value has no place: yaml-cpp gives the next line, or no line.
            if (tree.is_null()) tree.where = tree.key_where;
            const auto [first, is_new] = parent.keys.emplace(tree.key, tree.key_where);
            if (!is_new) {
                const std::string hint = "first set at " + first->second.str();
                findings_.push_back({tree.key_where, "duplicate key '" + excerpt(tree.key) + "'",
                                     source_.has_lines ? hint : ""});
                return;
            }
        }
        parent.tree.children.push_back(std::move(tree));
    }

    /// yaml-cpp takes the end of the input for a closing quote; we do not.
    void check_closed(const YAML::Mark& mark) const {
        const auto begin = static_cast<std::size_t>(mark.pos);
        const char quote = begin < text_.size() ? text_[begin] : '\0';
        if (quote != '"' && quote != '\'') return;  // a block of text
        for (std::size_t i = begin + 1; i < text_.size(); ++i) {
            if (quote == '"' && text_[i] == '\\') {
                ++i;
            } else if (text_[i] == quote) {
                const bool doubled = i + 1 < text_.size() && text_[i + 1] == quote;
                if (quote == '"' || !doubled) return;
                ++i;
            }
        }
        throw ConfigError(source_.at(mark), "the closing quote is missing");
    }
    [[noreturn]] void refuse_key(const YAML::Mark& mark) const {
        // yaml-cpp also takes a list or map that ends with the text for a key.
        throw ConfigError(source_.at(mark), "a key must be a word",
                          "or is a closing bracket missing?");
    }
    [[noreturn]] void refuse_anchor(const YAML::Mark& mark) const {
        throw ConfigError(source_.at(mark), "anchors and aliases ('&', '*') are not supported",
                          "write the value out; a text that begins with one needs quotes");
    }
    void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
        if (tag.empty() || tag == "?" || tag == "!") return;
        throw ConfigError(source_.at(mark), "tags ('!') are not supported",
                          "remove the tag '" + excerpt(tag) + "'");
    }

    const std::string& text_;
    const Source& source_;
    std::vector<Diagnostic>& findings_;
    std::vector<Open> open_;
    ConfigTree root_;
    int documents_ = 0;
};

/// yaml-cpp takes byte 4 for the end of the input and guesses at other encodings; so only plain
/// text reaches it.
void check_text(const std::string& text, const Source& source, std::size_t max_bytes) {
    if (text.size() > max_bytes) {
        throw ConfigError({source.name, 0, 0},
                          "is larger than " + std::to_string(max_bytes) + " bytes");
    }
    std::size_t line = 1;
    std::size_t column = 1;
    std::size_t entries = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
        const std::size_t length = utf8_length(text, i);
        if (control || length == 0) {
            throw ConfigError(source.at(line, column),
                              control ? "holds a control character" : "is not valid UTF-8 text",
                              "a configuration is a YAML text file in UTF-8");
        }
        ++column;
        entries += c == ',' || c == '[' || c == '{' || c == '\n' ? 1 : 0;
        if (entries > kMostEntries) {
            throw ConfigError(source.at(line, column),
                              fmt::format("has more than {} entries", kMostEntries),
                              "write graphs and programs of this size as CSV");
        }
        if (c == '\n') {
            ++line;
            column = 1;
        }
        i += length;
    }
}

/// The commonest slips, which yaml-cpp calls something else: a tab that indents the line, and an
/// entry of a list among keys.
void refuse_tab_or_list(const std::string& text, const Source& source, const YAML::Mark& mark) {
    if (mark.is_null() || !source.has_lines) return;
    std::size_t begin = 0;
    for (int line = 0; line < mark.line && begin < text.size(); ++line) {
        begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    }
    const std::size_t first = std::min(text.find_first_not_of(" \t", begin), text.size());
    const std::size_t tab = text.find('\t', begin);
    const auto line = static_cast<std::size_t>(mark.line) + 1;
    if (tab < first) {
        throw ConfigError(source.at(line, tab - begin + 1), "a tab indents this line",
                          "YAML is indented with spaces");
    }
    const bool is_entry = text.compare(first, 2, "- ") == 0;
    if (is_entry && mark.column == static_cast<int>(first - begin)) {
        throw ConfigError(source.at(line, first - begin + 1), "a list entry ('-') among keys",
                          "remove the '-', or indent the list below its key");
    }
}

ConfigTree parse(std::string text, const Source& source, std::vector<Diagnostic>& findings,
                 std::size_t max_bytes) {
    check_text(text, source, max_bytes);
    // yaml-cpp does not count the byte order mark, and neither do we.
    text.erase(0, byte_order_mark(text));
    TreeBuilder builder(text, source, findings);
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        refuse_tab_or_list(text, source, error.mark);
        throw ConfigError(source.at(error.mark), "not valid YAML: " + error.msg);
    }
    return builder.take();
}

}  // namespace

ConfigTree* ConfigTree::find(const std::string& name) {
    if (!is_map()) return nullptr;
    const auto it = std::find_if(children.begin(), children.end(),
                                 [&](const ConfigTree& child) { return child.key == name; });
    return it == children.end() ? nullptr : &*it;
}

const ConfigTree* ConfigTree::find(const std::string& name) const {
    return const_cast<ConfigTree*>(this)->find(name);
}

std::string ConfigTree::found() const {
    switch (kind) {
        case Kind::kNull:
            return "nothing";
        case Kind::kSequence:
            return "a list";
        case Kind::kMap:
            return "a map";
        case Kind::kScalar:
            break;
    }
    return quoted ? "the quoted text \"" + excerpt(text) + '"' : '\'' + excerpt(text) + '\'';
}

ConfigTree parse_tree(const std::string& text, const std::string& source,
                      std::vector<Diagnostic>& findings, std::size_t max_bytes) {
    return parse(text, {source, true}, findings, max_bytes);
}

ConfigTree parse_override_tree(const std::string& text, const Location& where,
                               std::vector<Diagnostic>& findings) {
    return parse(text, {where.source, false}, findings, kMaxConfigBytes);
}

namespace {

/// Escapes text for use between double quotes.
std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        const auto code = static_cast<unsigned char>(c);
        const bool is_control = code < 0x20 || code == 0x7f;
        result += is_control ? fmt::format("\\x{:02x}", code) : std::string(1, c);
    }
    return result;
}

}  // namespace

bool reads_as_null(const std::string& text) {
    return text == "null" || text == "Null" || text == "NULL";
}

std::string yaml_scalar(const std::string& text) {
    const auto is_plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '/' || c == '-';
    };
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), is_plain) &&
                       text.front() != '-' && text.front() != '.' && !reads_as_null(text);
    return plain ? text : '"' + escaped(text) + '"';
}

std::string yaml_flow(const ConfigTree& tree) {
    switch (tree.kind) {
        case ConfigTree::Kind::kNull:
            return "null";
        case ConfigTree::Kind::kScalar:
            // A plain scalar that reads as a number or a word stays one.
            if (tree.quoted) return '"' + escaped(tree.text) + '"';
            return kinds::to_real(tree.text) ? tree.text : yaml_scalar(tree.text);
        case ConfigTree::Kind::kSequence:
        case ConfigTree::Kind::kMap:
            break;
    }
    std::string text;
    for (const ConfigTree& child : tree.children) {
        if (!text.empty()) text += ", ";
        if (tree.is_map()) text += yaml_scalar(child.key) + ": ";
        text += yaml_flow(child);
    }
    return tree.is_map() ? '{' + text + '}' : '[' + text + ']';
}

}  // namespace flitscope
