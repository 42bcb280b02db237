# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Databases of studies (explore --db) that hold what flitscope has not written: every column of every
table, with values of every kind, before every command that reads them."""
import itertools
import json
import os
import re
import shutil
import sqlite3
import subprocess

from flitscope_cli import (CliTest, EXIT_FAILED, EXIT_OK, EXIT_USAGE, TIMEOUT_S, binary, machine, main,
                           mesh)

DEEP = "[" * 100_000 + "]" * 100_000
NOT_AXES = ('{"a": 5}', '{"fabric.buffer_depth": null}', "[]", "null", "5", '"text"', "", "{", "no JSON", DEEP,
            '{"a": ' + DEEP + "}", "{}", '{"\\u001b[31m": "1"}')
NOT_VALUES = ('{"cycles": "many", "pins": 1}', '{"cycles": null, "pins": 1}', '{"cycles": 1e999, "pins": 1}',
              "[1, 2]", "null", "5", '"text"', "", "{", "no JSON", DEEP, "{}", '{"cycles": {}, "pins": []}')
NOT_OBJECTIVES = ("[]", "{}", "null", "5", '"text"', "", "[", "no JSON", DEEP, "[5]", '[{"name": "cycles"}]',
                  '[{"name": 5, "goal": "min", "unit": ""}]',
                  '[{"name": "cycles", "goal": "most", "unit": "cycles"}]',
                  '[{"name": "cycles", "goal": ["min"], "unit": "cycles"}]',
                  '[{"name": "speed", "goal": "max", "unit": "GB/s"}]')
NOT_SETTINGS = ("{}", "null", "5", '"text"', "", "[", "no JSON", DEEP, "[5]", '[["a=1"]]', "[null]")
JSON_COLUMNS = {("design", "axes"): NOT_AXES, ("design", "objectives"): NOT_VALUES,
                ("study", "objectives"): NOT_OBJECTIVES, ("setting", "overrides"): NOT_SETTINGS}
ANYTHING = (None, -1, float("inf"), 2**63 - 1, "\x1b[31m\n", "x" * 100_000, b"\xff\x00\xfe")


class DatabaseAttacks(CliTest):
    def setUp(self):
        super().setUp()
        self.write("c.yaml", machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 64}))
        self.write("study.yaml", json.dumps({
            "base": "c.yaml", "objectives": {"min": ["cycles", "pins"]},
            "vary": {"fabric.buffer_depth": [2, 4], "fabric.flit_bits": [32, 64]},
            "search": {"method": "random", "evaluations": 100}}))
        self.ok("explore", "study.yaml", "--db", "whole.db")
        with sqlite3.connect(self.path("whole.db")) as database:
            self.digests = [digest for digest, in database.execute("SELECT digest FROM design")]
            self.columns = [(table, column) for table, in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
                for _, column, *_ in database.execute(f"PRAGMA table_info({table})")]
        database.close()

    def commands(self):
        first, second = self.digests[:2]
        yield ["explore", "front", "--plot", "front.svg"]
        yield ["explore", "axes"]
        yield ["explore", "best", "--budget", "pins=128"]
        yield ["explore", "table", "--rows", "fabric.buffer_depth", "--columns", "fabric.flit_bits"]
        yield ["explore", "show", first]
        yield ["explore", "diff", first, second]
        yield ["explore", "export"]
        yield ["explore", "list"]
        yield ["report"]

    def test_a_file_that_is_broken_is_refused(self):
        os.truncate(self.path("whole.db"), 9000)
        for arguments in (["explore", "front", "--db", "whole.db"],
                          ["explore", "study.yaml", "--db", "whole.db"],
                          ["report", "whole.db", "-o", "page.html"]):
            self.refused(*arguments, says=["whole.db", "malformed"])

    def test_a_name_is_that_of_a_file_whatever_sqlite_reads_in_it(self):
        for name in (":memory:", "file:x.db?mode=memory"):
            self.ok("explore", "study.yaml", "--db", name)
            self.assertEqual(self.ok("explore", "front", "--db", name),
                             self.ok("explore", "front", "--db", "whole.db"))

    def spoil(self, table, column, value):
        """One row, or where keys must differ that one."""
        for ending in ("", "-wal", "-shm", ".lock"):
            if os.path.exists(self.path("s.db" + ending)):
                os.remove(self.path("s.db" + ending))
        shutil.copy(self.path("whole.db"), self.path("s.db"))
        database = sqlite3.connect(self.path("s.db"))
        try:
            key = "digest" if table != "study" else "name"
            key = {"member": "design", "search": "study", "setting": "study"}.get(table, key)
            database.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = "
                             f"(SELECT {key} FROM {table} ORDER BY {key} = ? DESC LIMIT 1)",
                             (value, self.digests[0]))
            database.commit()
        except sqlite3.Error:  # as of a key of which there are several rows
            return False
        finally:
            database.close()
        return True

    def read_by(self, command):
        where = ["s.db", "-o", "page.html"] if command[0] == "report" else ["--db", "s.db"]
        done = subprocess.run([binary(), *command, *where], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace",  # tables escape nothing
                              timeout=TIMEOUT_S, check=False)
        self.assert_no_crash(done.returncode, done.stderr)
        return done

    def says_no_more_than_one_thing(self, done):
        self.assertIn(done.returncode, (EXIT_OK, EXIT_FAILED, EXIT_USAGE))
        self.assertNotIn("exception", done.stderr)
        self.assertNotIn("\x1b", done.stderr)
        if done.returncode != EXIT_OK:
            said = [line for line in done.stderr.splitlines() if not re.match(r"\w+ \d+ of \d+ ", line)]
            self.assertEqual(len(said), 1, done.stderr[:1000])
            self.assertLess(len(said[0]), 1000)

    def test_columns_of_json_are_refused_with_the_row_and_what_is_wrong(self):
        """The first value before every command, each other before one of them in turn."""
        in_turn = itertools.cycle(self.commands())
        for (table, column), values in JSON_COLUMNS.items():
            for value in values:
                self.assertTrue(self.spoil(table, column, value))
                for command in self.commands() if value == values[0] else [next(in_turn)]:
                    with self.subTest(column=f"{table}.{column}", value=value[:50], command=command):
                        done = self.read_by(command)
                        self.says_no_more_than_one_thing(done)
                        reads_one_design = command[1:2] in (["show"], ["diff"])
                        if reads_one_design and done.returncode == EXIT_OK:
                            continue
                        self.assertEqual(done.returncode, EXIT_USAGE, done.stdout + done.stderr)
                        if "--budget pins: error: the study has no objective" in done.stderr:
                            continue
                        for text in ("--db s.db: error: ", "holds what flitscope has not written: ",
                                     "name another file"):
                            self.assertIn(text, done.stderr)

    def test_where_no_design_was_simulated_nothing_is_drawn(self):
        self.write("c.yaml", machine(mesh(2, 2), {"schedule": "gen", "message_bytes": 64},
                                     limits={"max_cycles": 1}))
        done = self.call("explore", "study.yaml", "--db", "none.db", "--plot", "front.svg")
        self.says_no_more_than_one_thing(done)
        self.assertEqual(done.returncode, EXIT_USAGE, done.stderr)
        self.assertIn("--plot front.svg: error: no design of the study was simulated", done.stderr)
        self.assertNotEqual(done.stdout, "", "what came of it is told nonetheless")
        self.assertFalse(os.path.exists(self.path("front.svg")))

    def test_a_study_replaces_its_own_rows_whatever_they_hold(self):
        for (table, column), values in JSON_COLUMNS.items():
            for value in (values[0], values[-1]):
                self.assertTrue(self.spoil(table, column, value))
                self.ok("explore", "study.yaml", "--db", "s.db")
                self.assertEqual(self.ok("explore", "front", "--db", "s.db"),
                                 self.ok("explore", "front", "--db", "whole.db"))

    def test_no_value_of_another_column_ends_a_command_in_another_way(self):
        in_turn = itertools.cycle([*self.commands(), ["explore", "study.yaml"]])
        for table, column in self.columns:
            for value in ANYTHING:
                if not self.spoil(table, column, value):
                    continue
                command = next(in_turn)
                with self.subTest(column=f"{table}.{column}", value=str(value)[:50], command=command):
                    self.says_no_more_than_one_thing(self.read_by(command))


if __name__ == "__main__":
    main()
