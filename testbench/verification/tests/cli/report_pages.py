# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Pages of `flitscope report`: the runs that are shown, what a page holds of them, and a browser to look
at it."""
import base64
import json
import pathlib
import re
import sys
import zlib

from flitscope_cli import CliTest, hypercube, machine, mesh, suite

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "tools"))
from browser import Browser  # noqa: E402

CONFIGS = pathlib.Path(__file__).resolve().parents[3] / "configs"
PEX = CONFIGS / "mesh_8x8_pex.yaml"
PATTERN = machine(mesh(4, 4), {"pattern": "uniform", "injection_rate": 0.3, "message_bytes": 64,
                               "warmup_cycles": 100, "measure_cycles": 1000},
                  fabric={"virtual_channels": 2}, seed=7)
RUNS = {
    "schedule": machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}),
    "packets": machine(hypercube(4), {"schedule": "naive", "message_bytes": 512},
                       fabric={"buffer_depth": 2}, node={"packet_bytes": 128}),
    "pattern": PATTERN,
    "circuits": machine(hypercube(4), {"schedule": "aap", "message_bytes": 256},
                        fabric={"switching": "circuit"}),
}


def numbers(packed):
    """README.md of testbench/app/report/page, "Packed numbers"."""
    found, value, shift, before = [], 0, 0, 0
    for byte in zlib.decompress(base64.b64decode(packed["data"])):
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            number = (value >> 1) ^ -(value & 1)
            before = number + (before if packed["delta"] else 0)
            found.append(before)
            value = shift = 0
    assert len(found) == packed["count"]
    return found


def data_of(page):
    """The data that a page holds."""
    text = page if isinstance(page, str) else page.decode()
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text,
                                re.DOTALL).group(1))


def rows(values, bins):
    return [values[i:i + bins] for i in range(0, len(values), bins)]


class ReportTest(CliTest):
    def report_page(self, config, *arguments, name="page.html"):
        self.ok("report", config, "-o", name, *arguments)
        return data_of(self.read(name))


@suite.needs("chromium", of="docs")
class BrowserTest(ReportTest):
    """One browser for all: it takes a second to start."""

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, name="page.html"):
        self.browser.open(self.path(name))

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])
        outside = [url for url in self.browser.requests if not url.startswith(("file:", "data:"))]
        self.assertEqual(outside, [])
        self.assertEqual(len([u for u in self.browser.requests if u.startswith("file:")]), 1)

    def page(self, expression):
        return self.browser.evaluate(f"(() => {{ const {{page, data}} = flitscope; "
                                     f"return {expression}; }})()")
