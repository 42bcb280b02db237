# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Traces in the formats of other tools, GOAL as txt2bin writes it and execution traces of Chakra, and
what tests of traces have in common."""
import struct

from flitscope_cli import CliTest, machine, mesh


def binary(ranks, cookie=4223):
    """GOAL as txt2bin writes it. Of each rank its operations (kind, peer, size, tag, cpu, ends of
    these are awaited by, begins by)."""
    parts = []
    for operations in ranks:
        waits = [0] * len(operations)
        for *_, ends, begins in operations:
            for successor in ends + begins:
                waits[successor] += 1
        roots = [i for i, count in enumerate(waits) if count == 0]
        part = struct.pack(f"<{2 + len(roots)}I", len(operations), len(roots), *roots)
        appendix = []
        for i, (kind, peer, size, tag, cpu, ends, begins) in enumerate(operations):
            part += struct.pack("<IBIQIBB", waits[i], kind, peer, size, tag, cpu, 0)
            for successors in (ends, begins):
                part += struct.pack("<II", len(successors), len(appendix))
                appendix += successors
        parts.append(part + struct.pack(f"<{len(appendix)}I", *appendix))
    header = struct.pack("<QIBB", cookie, len(ranks), 1, 0)
    at = len(header) - 8 + 16 * len(ranks)
    for part in parts:
        header += struct.pack("<QQ", at, at + len(part))
        at += len(part)
    return header + b"".join(parts)


def varint(number):
    number &= 2**64 - 1
    out = b""
    while True:
        out += bytes([number & 0x7F | (0x80 if number > 0x7F else 0)])
        number >>= 7
        if number == 0:
            return out


def number(field, value):
    return varint(field << 3) + varint(value)


def blob(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


# A whole number in every kind that et_def.proto has.
KINDS = {
    "int32": lambda v: number(7, v), "int64": lambda v: number(9, v),
    "uint32": lambda v: number(11, v), "uint64": lambda v: number(13, v),
    "sint32": lambda v: number(15, 2 * v), "sint64": lambda v: number(17, 2 * v),
    "fixed32": lambda v: varint(19 << 3 | 5) + struct.pack("<I", v),
    "fixed64": lambda v: varint(21 << 3 | 1) + struct.pack("<Q", v),
    "sfixed32": lambda v: varint(23 << 3 | 5) + struct.pack("<i", v),
    "sfixed64": lambda v: varint(25 << 3 | 1) + struct.pack("<q", v)}


def attribute(name, value, kind="int64"):
    return blob(10, blob(1, name) + KINDS[kind](value))


def node(ident, name, kind, more=b""):
    content = number(1, ident) + blob(2, name) + number(3, kind) + more
    return varint(len(content)) + content


METADATA = varint(7) + blob(1, "0.0.4")


class TraceTest(CliTest):
    def config(self, trace, topology=None, **more):
        return machine(topology or mesh(2, 2), {"trace": trace}, **more)

    def ends(self, config):
        """When each rank has done everything, in cycles."""
        self.write("config.yaml", config)
        self.ok("run", "config.yaml", "--out", "out")
        return [int(row["end"]) for row in self.read_csv("out", "ranks.csv")]

    def messages_of(self, config):
        """Source, destination and bytes of each message of a run."""
        self.write("config.yaml", config)
        self.ok("run", "config.yaml", "--out", "out", "--messages")
        return [(int(row["source"]), int(row["destination"]), int(row["bytes"]))
                for row in self.read_csv("out", "messages.csv")]

    def refuse(self, *arguments, expect):
        self.refused(*arguments, says=(expect,))

    def write_chakra(self, ranks, make):
        """Files app.0.et, ... with what make(rank) says."""
        for rank in range(ranks):
            self.write(f"app.{rank}.et", METADATA + make(rank))

    @staticmethod
    def collective(ident, kind, size=None, root=None, group=None):
        more = attribute("comm_type", kind)
        if size is not None:
            more += attribute("comm_size", size)
        if root is not None:
            more += attribute("root_rank", root)
        if group is not None:
            more += blob(10, blob(1, "pg_name") + blob(29, group))
        return node(ident, f"c{ident}", 7, more)
