#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Whoever includes a leaf of the hardware gets no SystemC with it, however far down one looks; and
what the folders of hw/ include of each other goes round in no cycle.

usage: kernel_free_test.py ROOT
"""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import suite  # noqa: E402

ROOT = pathlib.Path(sys.argv.pop(1))

# Sources of hw/ that are not modules: the rest is ports, channels, processes, and their binding.
KERNEL_FREE = (
    "hw/common/arrival.h",
    "hw/common/bit_mask.h",
    "hw/common/channel_probe.h",
    "hw/common/ejection_sink.h",
    "hw/common/fabric_options.h",
    "hw/common/flit.h",
    "hw/common/flit_buffer.h",
    "hw/common/packet_pool.h",
    "hw/common/router_core.h",
    "hw/common/wakeup_wheel.h",
    "hw/common/wakeup_wheel.cpp",
    "hw/packet/endpoint_routing.h",
    "hw/packet/packet_router_core.h",
    "hw/packet/packet_router_core.cpp",
    "hw/packet/packet_router_core_reports.h",
    "hw/verilated/pin_views.h",
    "hw/verilated/pin_views.cpp",
    "hw/verilated/rtl_model.h",
    "hw/verilated/rtl_router_core.h",
    "hw/verilated/rtl_router_core.cpp",
    "hw/verilated/rtl_routers.h",
    "hw/verilated/rtl_routers.cpp",
    "hw/verilated/rtl_variant.h",
    "hw/verilated/rtl_variant.cpp",
    "hw/verilated/verilated_router.cpp",
    "hw/verilated/wire_ends.h",
    "models/base/arena.h",
    "models/base/module_list.h",
    "models/base/slot_pool.h",
    "models/fabric/channel_timing.h",
    "models/fabric/channel_timing.cpp",
    "models/fabric/packetizer.h",
)
# Which folders of hw/ the sources of a folder may include.
HW_MAY_INCLUDE = {
    "common": {"common"},
    "verilated": {"common", "verilated"},
    "packet": {"common", "verilated", "packet"},
    "circuit": {"common", "circuit"},
}
KERNEL = re.compile(r"^#include <(systemc(\.h)?|tlm(\.h)?|tlm_utils/.*)>", re.MULTILINE)


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def includes(text):
    return re.findall(r'^#include "((?:hw|models)/[^"]+)"', text, re.MULTILINE)


def way_to_kernel(name, seen):
    """The files from `name` to one that includes SystemC, or nothing."""
    seen.add(name)
    text = text_of(name)
    if KERNEL.search(text):
        return [name]
    for other in includes(text):
        if other not in seen and (way := way_to_kernel(other, seen)):
            return [name, *way]
    return []


class KernelFree(unittest.TestCase):
    def test_leaves_include_no_systemc_however_far_down(self):
        for name in KERNEL_FREE:
            with self.subTest(file=name):
                self.assertEqual(way_to_kernel(name, set()), [])

    def test_the_way_to_the_kernel_is_found(self):
        self.assertEqual(way_to_kernel("hw/packet/router.cpp", set())[0], "hw/packet/router.cpp")
        self.assertEqual(way_to_kernel("hw/common/clock_domain.h", set()),
                         ["hw/common/clock_domain.h"])

    def test_folders_of_hw_include_in_one_direction(self):
        seen = 0
        for folder, allowed in HW_MAY_INCLUDE.items():
            for path in sorted((ROOT / "hw" / folder).glob("*.*")):
                if path.suffix not in {".h", ".cpp"}:
                    continue
                for name in includes(text_of(path.relative_to(ROOT))):
                    if not name.startswith("hw/"):
                        continue
                    seen += 1
                    with self.subTest(file=path.name, include=name):
                        self.assertIn(name.split("/")[1], allowed)
        self.assertGreater(seen, 50)


if __name__ == "__main__":
    suite.main()
