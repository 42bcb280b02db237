# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Equal configurations give equal bytes; watching a run does not change it."""
from flitscope_cli import CliTest, hypercube, machine, main, mesh, without, without_wall_clock

PATTERN = {"pattern": "uniform", "injection_rate": 0.2, "message_bytes": 64,
           "warmup_cycles": 200, "measure_cycles": 1000}
MACHINES = {
    "schedule": machine(mesh(4, 5), {"schedule": "pex-gen", "message_bytes": 64}),
    "naive": machine(hypercube(4), {"schedule": "naive", "message_bytes": 64},
                     fabric={"virtual_channels": 4}, waveform={"endpoints": True}),
    "pattern": machine(mesh(4, 4), PATTERN),
    "pattern_vc": machine(mesh(4, 4), PATTERN, fabric={"virtual_channels": 2}),
}


class Determinism(CliTest):
    def run_into(self, folder, config, trace, *arguments):
        """Runs in a folder of its own, so that file names in outputs are equal too."""
        self.write(f"{folder}/config.yaml", config)
        return self.ok("run", self.path(folder, "config.yaml"), "--json", "--out",
                       self.path(folder, "out"), "--trace", self.path(folder, trace), *arguments)

    def test_equal_runs_give_equal_bytes(self):
        for name, config in MACHINES.items():
            for kind in ("vcd", "fst"):
                with self.subTest(machine=name, trace=kind):
                    a, b = f"{name}_{kind}_a", f"{name}_{kind}_b"
                    first = self.run_into(a, config, "run." + kind)
                    second = self.run_into(b, config, "run." + kind)
                    self.assertEqual(without_wall_clock(first), without_wall_clock(second))
                    files = ["run." + kind, f"run.{kind}.gtkw", "out/links.csv", "out/config.yaml"]
                    if "pattern" not in name:
                        files.append("out/steps.csv")
                    for file in files:
                        self.assertEqual(self.read(a, file), self.read(b, file), file)
                    self.assertGreater(len(self.read(a, "run." + kind)), 1000)

    def outputs_of(self, name, config, trace, threads):
        folder = f"{name}_{trace}_{threads}"
        self.write(f"{folder}/config.yaml", config)
        done = self.call("run", self.path(folder, "config.yaml"), "--json", "--out",
                         self.path(folder, "out"), "--trace", self.path(folder, "run." + trace),
                         "--engine", "cycle", "--messages", "--threads", threads)
        self.assertEqual(done.returncode, 0, done.stderr)
        alone = threads == 1 or name in ("traced", "foreign")
        self.assertEqual("simulated by one thread" in done.stderr, alone and threads > 1, done.stderr)
        report = done.stdout
        files = ["run." + trace, "out/links.csv", "out/messages.csv"]
        if name == "schedule":
            files.append("out/steps.csv")
        return [without_wall_clock(report), *[self.read(folder, file) for file in files]]

    def test_threads_change_nothing(self):
        rtl = {"router": "rtl"}
        long = {**PATTERN, "measure_cycles": 500}
        machines = {
            "pattern": machine(mesh(16, 24), long),
            "virtual_channels": machine({"kind": "torus", "dims": [16, 16]}, long,
                                        fabric={"virtual_channels": 4}),
            "schedule": machine(hypercube(8), {"schedule": "gen", "message_bytes": 8}),
            "rtl": machine({"kind": "torus", "dims": [8, 8]}, PATTERN,
                           fabric={**rtl, "virtual_channels": 2}),
            # simulated by one thread whatever is asked for: a traced router among 63 that are not,
            # and routers of which it is not known what they share
            "traced": machine(mesh(8, 8), PATTERN, fabric=rtl, waveform={"rtl_nodes": [27]}),
            "foreign": machine(mesh(8, 8), PATTERN,
                               fabric={"router": {"top": "valid_ready_router",
                                                  "protocol": "valid_ready"}}),
        }
        for name, config in machines.items():
            with self.subTest(machine=name):
                trace = "fst" if name == "virtual_channels" else "vcd"
                one = self.outputs_of(name, config, trace, 1)
                self.assertGreater(len(one[1]), 10_000)
                for threads in (2, 3):
                    self.assertEqual(self.outputs_of(name, config, trace, threads), one)

    def test_says_where_threads_have_nothing_to_do(self):
        def note(dims, engine):
            config = self.write("config.yaml", machine(mesh(*dims), PATTERN))
            done = self.call("run", config, "--threads", 2, "--engine", engine)
            self.assertEqual(done.returncode, 0)
            return done.stderr
        one = "note: this run was simulated by one thread, not 2: "
        self.assertEqual(note((4, 4), "cycle"), one + "the network is too small, or cannot be split "
                                                      '(hw/README.md, "Threads")\n')
        self.assertEqual(note((16, 16), "tlm"), one + "only the cycle engine has several "
                                                      "(--engine cycle)\n")
        self.assertEqual(note((16, 16), "cycle"), "")

    def test_another_seed_gives_other_traffic(self):
        reports = [self.run_report(machine(mesh(4, 4), PATTERN), "--set", f"seed={seed}")
                   for seed in (1, 2, 1)]
        self.assertEqual([r["seed"] for r in reports], [1, 2, 1])
        self.assertEqual(without(reports[0]), without(reports[2]))
        self.assertNotEqual(without(reports[0], "seed"), without(reports[1], "seed"))
        self.assertNotEqual(reports[0]["flit_hops"], reports[1]["flit_hops"])

    def test_a_schedule_does_not_depend_on_the_seed(self):
        config = MACHINES["schedule"]
        self.assertEqual(without(self.run_report(config), "seed"),
                         without(self.run_report(config, "--set", "seed=99"), "seed"))

    def test_watching_changes_nothing(self):
        for name, config in MACHINES.items():
            with self.subTest(machine=name):
                # auto may take either engine: results are the same.
                choice = ("engine", "engine_reason", "files")
                bare = without(self.run_report(config), *choice)
                self.assertGreater(bare["cycles"], 0)
                for extra in (["--trace", "a.vcd"], ["--trace", "a.fst"], ["--out", "out"],
                              ["--progress"], ["--engine", "cycle"], ["--engine", "auto"],
                              ["--trace", "b.vcd", "--set", "waveform.nodes=[0]", "--out", "both"]):
                    report = self.run_report(config, *extra)
                    self.assertEqual(without(report, *choice), bare, extra)


if __name__ == "__main__":
    main()
