# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope explore --slurm on a cluster of three slurmd on this machine, which it brings up."""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import unittest.mock

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_USAGE, TIMEOUT_S, machine, main,
                           mesh, suite)

CLUSTER = pathlib.Path(__file__).resolve().parents[3] / "tools" / "local_slurm.sh"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
POINTS = 60


class Study(CliTest):
    def setUp(self):
        super().setUp()
        self.write("base.yaml", machine(mesh(8, 8), {"schedule": "pex", "message_bytes": 256}))
        self.write("study.yaml", json.dumps({
            "base": "base.yaml", "objectives": {"min": ["cycles", "buffer_bits"]},
            "vary": {"fabric.buffer_depth": list(range(2, 2 + POINTS // 4)),
                     "fabric.virtual_channels": [1, 2, 3, 4]},
            "search": {"method": "random", "evaluations": POINTS}}))

    def explore(self, *arguments):
        return json.loads(self.ok("explore", "study.yaml", "--engine", "cycle", *arguments, "--json"))

    def write_program(self, name, script):
        self.write(f"bin/{name}", script)
        os.chmod(self.path("bin", name), 0o755)

    def outcomes(self, db):
        """Digests of what was simulated and all its metrics."""
        with sqlite3.connect(self.path(db)) as connection:
            return sorted(connection.execute(
                "SELECT digest, state, name, value FROM metric JOIN attempt USING(digest) "
                "JOIN point USING(digest) WHERE measurement = 'run'"))

    def count(self, db):
        try:
            return len({row[0] for row in self.outcomes(db)})
        except sqlite3.OperationalError:  # not made yet
            return 0


@suite.needs(*PROGRAMS, of="slurm")
class Cluster(Study):
    @classmethod
    def setUpClass(cls):
        cls.slurm = tempfile.mkdtemp(prefix="flitscope_slurm_")
        cls.addClassCleanup(shutil.rmtree, cls.slurm, ignore_errors=True)
        said = subprocess.run([CLUSTER, "start", cls.slurm, "3"], capture_output=True, text=True,
                              timeout=TIMEOUT_S, check=False)
        if said.returncode != 0:
            raise RuntimeError(said.stdout + said.stderr)
        cls.addClassCleanup(subprocess.run, [CLUSTER, "stop", cls.slurm], check=True,
                            stdout=subprocess.DEVNULL)
        os.environ["SLURM_CONF"] = os.path.join(cls.slurm, "slurm.conf")
        cls.addClassCleanup(os.environ.pop, "SLURM_CONF")
        cls.local = None

    def start_with_outcomes(self, db, count):
        """A study on the cluster, as soon as it has kept so many."""
        process = self.start("explore", "study.yaml", "--db", db, "--slurm", "--engine", "cycle",
                             "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.wait_until(lambda: self.count(db) >= count, f"fewer than {count} outcomes", process)
        return process

    def jobs(self):
        return subprocess.run(["squeue", "-h", "-o", "%i %T"], capture_output=True, text=True,
                              check=True).stdout

    def assert_same_as_local(self, db):
        if Cluster.local is None:
            self.explore("--db", "local.db")
            Cluster.local = self.outcomes("local.db")
        self.assertEqual(len({row[0] for row in Cluster.local}), POINTS)
        self.assertEqual(self.outcomes(db), Cluster.local)

    def test_a_node_that_dies_loses_nothing(self):
        process = self.start_with_outcomes("a.db", POINTS // 4)
        busy = subprocess.run(["squeue", "-h", "-t", "R", "-o", "%N"], capture_output=True,
                              text=True, check=True).stdout.split()
        self.assertNotEqual(busy, [])
        subprocess.run([CLUSTER, "kill", self.slurm, busy[0]], check=True)
        self.addCleanup(subprocess.run, [CLUSTER, "revive", self.slurm, busy[0]], check=True)
        out, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, 0, errors.decode())
        report = json.loads(out)
        self.assertEqual((report["simulated"], report["refused"]), (POINTS, 0))
        self.assert_same_as_local("a.db")
        self.assertFalse(os.path.exists(self.path("a.db.slurm")))
        again = self.explore("--db", "a.db", "--slurm")
        self.assertEqual((again["simulated"], again["front"]), (0, report["front"]))

    def test_a_coordinator_that_is_killed_goes_on(self):
        for part in (1, 2) if suite.TAKES_ALL else (1,):
            process = self.start_with_outcomes("a.db", part * POINTS // 4)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertTrue(os.path.exists(self.path("a.db.slurm")))
        before = self.count("a.db")
        report = self.explore("--db", "a.db", "--slurm")
        self.assertLessEqual(report["simulated"], POINTS - before)
        self.assert_same_as_local("a.db")
        self.assertEqual(self.jobs(), "")

    def test_cancelled_jobs_end_the_study_which_goes_on_here(self):
        process = self.start_with_outcomes("a.db", POINTS // 4)
        subprocess.run(["scancel", "--me"], check=True)
        _, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, EXIT_FAILED, errors.decode())
        self.assertIn("was cancelled", errors.decode())
        self.assertIn("--jobs N", errors.decode())
        self.explore("--db", "a.db", "--jobs", "2")
        self.assert_same_as_local("a.db")

    def test_an_interrupt_ends_the_jobs(self):
        process = self.start_with_outcomes("a.db", 1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=TIMEOUT_S)
        self.assertEqual(process.returncode, EXIT_INTERRUPTED, errors.decode())
        self.wait_until(lambda: not self.jobs(), "jobs are left")

    @suite.campaign
    def test_an_exact_search_prunes_there_too(self):
        papers = str(CLUSTER.parents[1] / "configs" / "studies" / "papers_64_nodes.yaml")
        local = json.loads(self.ok("explore", papers, "--json"))
        there = json.loads(self.ok("explore", papers, "--db", "a.db", "--slurm", "--json"))
        self.assertEqual(there["front"], local["front"])
        self.assertGreater(there["pruned"], local["pruned"] / 2)

    def test_points_that_jobs_cannot_measure_are_told(self):
        self.write("hard.yaml", json.dumps({
            "base": "base.yaml", "objectives": {"min": "cycles"},
            "vary": {"fabric.buffer_depth": [2, 3]}, "measure": {"never": {
                "set": {"limits.max_cycles": 3}}}}))
        odd = "50%a %j 'a'.db"  # Slurm expands these in names of logs
        report = json.loads(self.ok("explore", "hard.yaml", "--db", odd, "--slurm", "--json"))
        self.assertEqual((report["refused"], report["front"]), (2, []))


class StoppedCluster(CliTest):
    def test_what_has_ended_does_not_keep_the_rest_from_ending(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        another = subprocess.Popen(["sleep", "600"])
        self.addCleanup(another.wait)
        self.addCleanup(another.kill)
        shutil.copy(shutil.which("sleep"), self.path("slurmctld"))
        controller = subprocess.Popen([self.path("slurmctld"), "600"])
        self.addCleanup(controller.kill)
        for name, process in (("slurmd-n1", ended), ("slurmd-n2", another),
                              ("slurmctld", controller)):
            self.write(f"run/{name}.pid", f"{process.pid}\n")
        subprocess.run([CLUSTER, "stop", self.folder], check=True)
        self.assertEqual(controller.wait(timeout=TIMEOUT_S), -signal.SIGKILL)
        self.assertIsNone(another.poll(), "its number was that of a slurmd")
        self.assertEqual(os.listdir(self.path("run")), [])


# Programs with the names of Slurm's, which fail to answer every nth request.
CONTROLLER_AWAY = """#!/bin/sh
cd "{folder}"
echo x >> {name}.calls
if [ $(($(wc -l < {name}.calls) % {period})) -eq 0 ]; then
    echo "{name}: error: Unable to contact slurm controller" >&2
    exit 1
fi
{work}
"""
SBATCH = r"""job=$(wc -l < sbatch.calls)
for word; do
    case $word in
    --array=0-*) last=${word#--array=0-} ;;
    --output=*) log=${word#--output=} ;;
    esac
done
for element in $(seq 0 "$last"); do
    SLURM_ARRAY_TASK_ID=$element sh "$word" > "$log.$element" 2>&1 &
    echo "$job $element RUNNING" >> queue
done
echo "$job"
"""


class ControllerThatIsAway(Study):
    def test_what_it_does_not_answer_is_asked_again(self):
        for name, period, work in (("sinfo", 1000, "echo 'all* 0/2/0/2'"), ("sbatch", 2, SBATCH),
                                   ("squeue", 2, "cat queue"), ("scancel", 1000, "")):
            script = CONTROLLER_AWAY.format(folder=self.folder, name=name, period=period, work=work)
            self.write_program(name, script)
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        with unittest.mock.patch.dict(os.environ, PATH=path):
            report = self.explore("--db", "a.db", "--slurm")
        self.assertEqual((report["simulated"], report["refused"]), (POINTS, 0))
        self.assertGreater(self.calls("sbatch"), 2)

    def test_a_cluster_that_takes_no_job_at_all_is_told_at_once(self):
        for name, period in (("sinfo", 1000), ("sbatch", 1), ("squeue", 1000), ("scancel", 1000)):
            script = CONTROLLER_AWAY.format(folder=self.folder, name=name, period=period,
                                            work="echo 'all* 0/2/0/2'")
            self.write_program(name, script)
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        with unittest.mock.patch.dict(os.environ, PATH=path):
            done = self.call("explore", "study.yaml", "--db", "a.db", "--slurm")
        self.assertEqual(done.returncode, EXIT_FAILED, done.stderr)
        self.assertIn("Unable to contact slurm controller", done.stderr)
        self.assertEqual(self.calls("sbatch"), 1)

    def calls(self, name):
        with open(self.path(f"{name}.calls"), encoding="utf-8") as lines:
            return len(list(lines))


class Refusals(Study):
    def test_without_a_cluster_nothing_begins(self):
        self.refused("explore", "study.yaml", "--slurm", says=["needs a database (--db FILE)"])
        self.refused("explore", "study.yaml", "--slurm", "--jobs", "2", "--db", "a.db")
        for variables, says in (({"SLURM_CONF": self.path("nowhere.conf")}, "SLURM_CONF names"),
                                ({"PATH": self.path("empty")}, "Slurm is not installed here")):
            with unittest.mock.patch.dict(os.environ, variables):
                self.refused("explore", "study.yaml", "--slurm", "--db", "a.db", says=[says])

    def test_a_file_that_a_job_could_not_be_told_of_is_refused(self):
        folder = os.fsencode(self.folder) + b"/caf\xe9"
        os.mkdir(folder)
        study = self.read("study.yaml").replace(b'"cycles"', b'"latency_ns"')
        with open(folder + b"/study.yaml", "wb") as file:
            file.write(study)
        with open(folder + b"/matrix.csv", "w", encoding="utf-8") as matrix:
            matrix.write("\n".join(",".join("01"[a == b - 1] for b in range(64)) for a in range(64)))
        with open(folder + b"/base.yaml", "w", encoding="utf-8") as base:
            base.write(machine(mesh(8, 8), {
                "pattern": "matrix", "matrix": "matrix.csv", "injection_rate": 0.1,
                "message_bytes": 8, "warmup_cycles": 0, "measure_cycles": 100}))
        for name in ("sinfo", "sbatch", "squeue", "scancel"):
            self.write_program(name, "#!/bin/sh\necho 'all* 0/2/0/2'\n")
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        with unittest.mock.patch.dict(os.environ, PATH=path):
            done = self.call("explore", os.fsdecode(folder + b"/study.yaml"), "--db", "a.db", "--slurm")
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertRegex(done.stderr, "--slurm: error: .*no name in UTF-8")

    def test_a_folder_in_which_slurm_finds_no_logs_is_refused(self):
        self.refused("explore", "study.yaml", "--slurm", "--db", "back\\slash.db",
                     says=["--slurm: error: ", "back\\slash.db.slurm' has a backslash", "another folder"])

    def test_a_variable_that_is_empty_is_not_set(self):
        with unittest.mock.patch.dict(os.environ, SLURM_CONF="", PATH=self.path("empty")):
            self.refused("explore", "study.yaml", "--slurm", "--db", "a.db",
                         says=["Slurm is not installed here"])

    def test_programs_without_a_cluster_are_not_called_missing(self):
        self.write_program("sinfo", "#!/bin/sh\necho no configuration source >&2\nexit 1\n")
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        with unittest.mock.patch.dict(os.environ, SLURM_CONF="", PATH=path):
            self.refused("explore", "study.yaml", "--slurm", "--db", "a.db",
                         says=["no Slurm controller answers", "no configuration source", "--jobs N"])
        self.assertFalse(os.path.exists(self.path("a.db")))

    def test_what_is_no_chunk_is_refused(self):
        self.refused("worker", "nowhere.json", says=["nowhere.json", "cannot be read"])
        self.write("strange.json", "{}")
        self.refused("worker", "strange.json", says=["is not a chunk", "--slurm"])
        self.write("other.json", json.dumps({"program": "flitscope 0", "points": []}))
        self.refused("worker", "other.json", says=["is for flitscope 0, and this is flitscope "])


if __name__ == "__main__":
    main()
