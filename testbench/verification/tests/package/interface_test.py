#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The interface of the library is the one in interface.txt: the headers that are installed, and the
functions that these declare and the library defines. A change of it is seen, and meant.

usage: interface_test.py ROOT BUILD CMAKE CXX (FLITSCOPE_UPDATE=1: write interface.txt anew)
"""

import difflib
import os
import pathlib
import re

from installed import InstalledTest, suite

KEPT = pathlib.Path(__file__).resolve().with_name("interface.txt")
RENEW = "FLITSCOPE_UPDATE=1 ./dev test -R package.interface"


def tokens_of(text):
    """The text of a header without comments, strings and lines of the preprocessor."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(\\.|[^"\\])*"|^\s*#[^\n]*', " ", text, flags=re.DOTALL | re.MULTILINE)
    return re.findall(r"~?[A-Za-z_]\w*|::|[^\s\w]", text)


def class_name(statement):
    """The name of the class that begins here; None: something else does."""
    while statement[:1] == ["template"]:
        depth = 0
        for end, token in enumerate(statement):
            depth += {"<": 1, ">": -1}.get(token, 0)
            if token == ">" and depth == 0:
                break
        statement = statement[end + 1:]
    if statement[:1] not in (["class"], ["struct"]) or "(" in statement:
        return None
    return statement[1] if len(statement) > 1 else None


def declared(text):
    """The functions that users may call, "flitscope::Network::port", or may override."""
    found = set()
    scopes = []  # [name, what may be used of it]; no name: a body, or an enumeration
    statement = []

    def end_of_statement():
        head = statement[:statement.index("(")] if "(" in statement else []
        if head and "=" not in head and all(scope[0] and scope[1] for scope in scopes):
            found.add("::".join([scope[0] for scope in scopes] + head[-1:]))
        statement.clear()

    for token in tokens_of(text):
        if token == "{":
            if "namespace" in statement:
                scopes.append(["::".join(t for t in statement[1:] if t != "::"), True])
            elif class_name(statement):
                scopes.append([class_name(statement), "struct" in statement])
            else:
                end_of_statement()
                scopes.append([None, False])
            statement.clear()
        elif token == "}":
            scopes.pop()
            statement.clear()
        elif token == ";":
            end_of_statement()
        elif token == ":" and statement and statement[-1] in ("public", "protected", "private"):
            scopes[-1][1] = statement[-1] != "private"
            statement.clear()
        else:
            statement.append(token)
    return found


def shortened(symbol):
    """A demangled name with the names that people have for the types of the standard library."""
    for name, long in (("string", "__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"),
                       ("string_view", "basic_string_view<char, std::char_traits<char> >")):
        symbol = symbol.replace(f"std::{long}", f"std::{name}")
    before = None
    while before != symbol:
        before, symbol = symbol, re.sub(r", std::(allocator|default_delete)<[^<>]+> ?", "", symbol)
    return symbol


class Interface(InstalledTest):
    part = ("--component", "dev")

    def test_functions_of_a_header_are_told_from_the_rest_of_it(self):
        self.assertEqual(declared("""
            #include <x>  // void no(int);
            namespace flitscope {
            class Forward;
            enum class Kind { kA, kB };
            struct Plain { int value = f(1); explicit Plain(int x) : value(x) { hidden(); } };
            template <class T> class Network final : public Base<T> {
            public:
                Network(int a);
                ~Network() override;
                int count() const { return g(2); }
            private:
                void quiet();
                struct Parts { void inner(); };
            protected:
                virtual void heard() = 0;
            };
            std::string name_of(Kind kind);
            }"""), {"flitscope::" + name for name in (
                "Plain::Plain", "Network::Network", "Network::~Network",
                "Network::count", "Network::heard", "name_of")})

    def headers(self):
        return sorted(p.relative_to(self.include).as_posix() for p in self.include.rglob("*.h"))

    def symbols(self):
        """As declared by the headers: strong symbols, since others are compiled by users anew."""
        names, words = set(), set()
        for header in self.headers():
            text = (self.include / header).read_text()
            names |= declared(text)
            words |= set(tokens_of(text))
        listed = self.ok("nm", "--demangle", "--defined-only", "--extern-only",
                         self.prefix / "lib/libflitscope.a")
        strong = set(re.findall(r"^[0-9a-f]+ [TDBR] (.+)$", listed.replace("[abi:cxx11]", ""),
                                re.MULTILINE))
        # Of functions of one name those are others' that take what no header names.
        return sorted(shortened(symbol) for symbol in strong if symbol.split("(")[0] in names
                      and words.issuperset(re.findall(r"flitscope::(\w+)", symbol)))

    def test_headers_and_symbols_are_those_that_were_meant(self):
        symbols = self.symbols()
        self.assertGreater(len(symbols), 150)
        now = ["# Made by `" + RENEW + "`; do not edit.", "", "# Headers", *self.headers(), "",
               "# Functions of them in the library", *symbols]
        if os.environ.get("FLITSCOPE_UPDATE"):
            KEPT.write_text("\n".join(now) + "\n")
        kept = KEPT.read_text().splitlines()
        changes = [line for line in difflib.unified_diff(kept, now, lineterm="", n=0)
                   if not line.startswith(("---", "+++", "@@"))]
        self.assertEqual(changes, [], "the interface of the library has changed; if this is meant: "
                         + RENEW)


if __name__ == "__main__":
    suite.main()
