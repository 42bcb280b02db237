# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Pages of `flitscope report`: the runs that are shown, and what a page holds of them."""
import base64
import json
import pathlib
import re
import zlib

from flitscope_cli import CliTest, hypercube, machine, mesh

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
