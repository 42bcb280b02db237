# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of flitscope explore share: a small study."""
import json
import os

from flitscope_cli import CliTest, machine, mesh

AXES = {"fabric.topology": {"mesh": mesh(4, 4), "cube": {"kind": "hypercube", "dimensions": 4},
                            "how": {"kind": "how", "dims": [4, 4], "window": 2}},
        "fabric.flit_bits": [16, 32, 64],
        "fabric.buffer_depth": [2, 4],
        "traffic.schedule": ["pex", "gen"]}
GOALS = {"min": ["time_ns", "pins"]}
EVERYTHING = {"method": "random", "evaluations": 100000}


class ExploreTest(CliTest):
    """In a folder with a base.yaml."""

    def setUp(self):
        super().setUp()
        os.environ["FLITSCOPE_CACHE"] = self.path("cache")
        self.write("base.yaml", machine(mesh(4, 4), {"schedule": "pex", "message_bytes": 64}))

    def study(self, name="study.yaml", **keys):
        study = {"base": "base.yaml", "vary": AXES, "objectives": GOALS, **keys}
        self.write(name, json.dumps({k: v for k, v in study.items() if v is not None}))
        return name

    def explore(self, *arguments):
        return json.loads(self.ok("explore", *arguments, "--json"))
