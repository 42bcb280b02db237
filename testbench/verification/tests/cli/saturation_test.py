# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Saturation: the load from which on a network has no steady state, and the plateau beyond it."""
import json

from flitscope_cli import CliTest, machine, main, mesh

UNIFORM = {"pattern": "uniform", "message_bytes": 64}


class Saturation(CliTest):
    def test_transpose_saturates_at_a_seventh(self):
        """Row by row seven messages share the busiest link of an 8 x 8 mesh under XY."""
        self.write("config.yaml", machine(mesh(8, 8), {"pattern": "transpose", "message_bytes": 64},
                                          steady={"max_cycles": 300000}))
        report = json.loads(self.ok("saturate", "config.yaml", "--json"))
        lower, upper = (report["saturation"][end] for end in ("lower", "upper"))
        self.assertLess(lower, upper)
        self.assertLess(upper - lower, 0.021 * upper)
        self.assertLess(abs((lower + upper) / 2 - 1 / 7), 0.02 / 7)
        self.assertLessEqual(len(report["runs"]), 12)
        self.assertLess(report["rate_at_3x_zero_load"], upper)
        self.assertEqual(report["generating_nodes"], 56)
        self.assertLessEqual(upper, 1 / 7)  # more is proved to be too much
        self.assertGreater(report["plateau_accepted"], 1 / 7)  # other flows have room to spare
        self.assertAlmostEqual(report["plateau_rate"], 1.5 * upper)
        self.assertIn(f"{report['plateau_accepted']:.4f} ({report['plateau_accepted_gbps']:.4g} Gbit/s) "
                      f"accepted at {report['plateau_rate']:.4f} (", self.ok("saturate", "config.yaml"))

    def test_a_quick_search_is_coarser_and_of_short_runs(self):
        self.write("config.yaml", machine(mesh(8, 8), {"pattern": "transpose", "message_bytes": 64}))
        report = json.loads(self.ok("saturate", "config.yaml", "--quick", "--json"))
        lower, upper = (report["saturation"][end] for end in ("lower", "upper"))
        self.assertLess(upper - lower, 0.051 * upper)
        self.assertLess(abs((lower + upper) / 2 - 1 / 7), 0.05 / 7)
        for run in report["runs"]:
            self.assertLessEqual(run["warmup_cycles"] + run["measured_cycles"], 100000)

    def test_the_plateau_is_past_saturation_where_channels_could_take_all_that_is_offered(self):
        """Then the search begins with a run of all that sources offer, far past half as much again."""
        self.write("config.yaml", machine(
            {"kind": "torus", "dims": [4, 4]}, {"pattern": "uniform", "message_bytes": 64},
            fabric={"virtual_channels": 2, "buffer_depth": 3},
            steady={"half_width": 0.3, "max_cycles": 40000}))
        report = json.loads(self.ok("saturate", "config.yaml", "--json"))
        self.assertEqual(report["runs"][1]["rate"], 1)
        self.assertLess(report["saturation"]["upper"], 0.65)
        self.assertAlmostEqual(report["plateau_rate"], 1.5 * report["saturation"]["upper"])
        run, = (run for run in report["runs"] if run["rate"] == report["plateau_rate"])
        self.assertEqual(report["plateau_accepted"], run["accepted"])

    def test_what_cannot_be_overloaded_has_no_saturation(self):
        self.write("config.yaml", machine(mesh(4, 4), {"pattern": "neighbour",
                                                       "message_bytes": 504},
                                          fabric={"topology": {"kind": "torus", "dims": [8]},
                                                  "virtual_channels": 2}))
        report = json.loads(self.ok("saturate", "config.yaml", "--json"))
        self.assertEqual(report["saturation"], {"lower": 1, "upper": 1})
        self.assertIn("none up to", self.ok("saturate", "config.yaml"))

    def test_bursty_sources_offer_no_more_than_within_a_burst(self):
        self.write("config.yaml", machine(mesh(4, 4), {**UNIFORM, "arrivals": "bursty",
                                                       "burst_rate": 0.2}))
        report = json.loads(self.ok("saturate", "config.yaml", "--json"))
        self.assertEqual(report["saturation"], {"lower": 0.2, "upper": 0.2})
        self.assertEqual(report["plateau_rate"], 0.2)
        self.assertLess(abs(report["plateau_accepted"] / 0.2 - 1), 0.1)


if __name__ == "__main__":
    main()
