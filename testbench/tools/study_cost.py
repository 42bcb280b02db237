#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""What a study costs beyond its simulations.

    study_cost.py FLITSCOPE [--engine auto|cycle|tlm] [--repeat N]

explores 1000 exchanges on an 8 x 8 mesh (schedules, message lengths, widths, depths), one process
at a time, into a database that is thrown away, and compares the time of the whole with the sum of
the times that the simulations have told. The rest is what is not simulation: configurations,
appraisals, the database, what processes tell each other. Wall-clock times: on a machine that does
other work, look at the lowest of several."""
import argparse
import pathlib
import sqlite3
import subprocess
import tempfile
import time

STUDY = """base: {base}
vary:
  traffic.schedule: [pex, gen, pex-gen-shift, naive]
  traffic.message_bytes: [8, 16, 32, 48, 64, 96, 128, 192, 256, 384]
  fabric.flit_bits: [32, 64, 96, 128, 256]
  fabric.buffer_depth: [3, 4, 6, 8, 16]
objectives: {{min: [time_ns, pins]}}
search: {{method: random, evaluations: 1000}}
"""


def explore(flitscope, engine, folder):
    """Seconds of the exploration, of its simulations and of its appraisals; and how many."""
    base = pathlib.Path(__file__).resolve().parents[1] / "configs" / "mesh_8x8_pex.yaml"
    study = folder / "study.yaml"
    study.write_text(STUDY.format(base=base))
    database = folder / "study.db"
    database.unlink(missing_ok=True)
    begin = time.monotonic()
    subprocess.run([flitscope, "explore", study, "--db", database, "--jobs", "1", "--engine", engine],
                   check=True, stdout=subprocess.DEVNULL)
    total = time.monotonic() - begin
    with sqlite3.connect(database) as connection:
        times = dict(connection.execute(
            "SELECT measurement, sum(wall_s) FROM point JOIN attempt USING(digest)"
            " WHERE state = 'complete' GROUP BY measurement"))
        count, = connection.execute(
            "SELECT count(*) FROM point WHERE measurement = 'run'").fetchone()
    return total, times["run"], times["appraisal"], count


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("flitscope")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.repeat):
            total, runs, appraisals, count = explore(options.flitscope, options.engine,
                                                     pathlib.Path(folder))
            print(f"{count} simulations {runs:.2f} s, appraisals {appraisals:.2f} s, "
                  f"all {total:.2f} s: {100 * (total / runs - 1):+.1f} % beyond the simulations")


if __name__ == "__main__":
    main()
