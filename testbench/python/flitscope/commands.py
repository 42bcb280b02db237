# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The commands of the program as functions.

All take a configuration (a dict, a `Config` or the name of a file) and `overrides` of its keys;
`program` names the program where it is not to be found as `find_program` says.
"""
from __future__ import annotations

import io
import json
import os
import pathlib
import tempfile
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

import pandas as pd

from .config import AnyConfig, Keys, config_words, study_words
from .program import SCRATCH, Kind, PathLike, call_json, call_text
from .results import Exploration, Explanation, FoundSchedule, Loads, Result, Run, Topology


def _scratch() -> "tempfile.TemporaryDirectory[str]":
    return tempfile.TemporaryDirectory(prefix=SCRATCH)


def _options(**values: Any) -> List[str]:
    """--name value of each that is given, --name of each that is True."""
    words: List[str] = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(os.fspath(value) if isinstance(value, os.PathLike) else str(value))
    return words


def run(config: AnyConfig, overrides: Optional[Keys] = None, *, out: Optional[PathLike] = None,
        trace: Optional[PathLike] = None, messages: bool = False, energy: bool = False,
        explain: bool = False, engine: str = "auto", threads: int = 1,
        program: Optional[PathLike] = None) -> Run:
    """Simulates a configuration and checks the result.

    out: folder in which its files stay; trace: waveform to write (.vcd, .fst, or .json for Perfetto);
    messages, energy: whether there is such a table; explain: whether `causes` is in the result.
    Raises ConfigError; RunFailed for a deadlock, a time-out or a failed check, with the run as its
    `result`; Interrupted after Ctrl-C, with what was simulated until then.
    """
    with _scratch() as scratch, config_words(config, overrides) as words:
        folder = pathlib.Path(out) if out is not None else pathlib.Path(scratch, "run")
        words = [*words,
                 *_options(out=folder, trace=trace, messages=messages, energy=energy, explain=explain,
                           engine=engine, threads=threads, progress=True)]

        def load(_: Any) -> Run:
            loaded = Run.load(folder)
            return loaded if out is not None else Run(loaded.data, loaded.tables)
        return call_json("run", words, program, load)


def _call(kind: Callable[[Dict[str, Any]], Kind], command: str, config: AnyConfig, overrides: Optional[Keys],
          program: Optional[PathLike], options: Sequence[str] = ()) -> Kind:
    """The result of a command that takes a configuration."""
    with config_words(config, overrides) as words:
        return call_json(command, [*words, *options], program, kind)


def curve(config: AnyConfig, overrides: Optional[Keys] = None, *,
          rates: Union[str, Sequence[float], None] = None, replications: int = 1, by_hops: bool = False,
          engine: str = "auto", jobs: Optional[int] = None, program: Optional[PathLike] = None) -> Loads:
    """Measures latency and accepted traffic of a pattern at several loads.

    rates: the loads in flits per cycle and generating node, or as the program takes them
    ("0.1:0.4:0.1", "1:20:1Gbit/s"); None: ten, up to the load that saturates the busiest channel.
    replications: runs per load, each with its own seed. jobs: runs at a time.
    """
    listed = rates if rates is None or isinstance(rates, str) else ",".join(map(str, rates))
    return _call(Loads, "curve", config, overrides, program,
                 _options(rates=listed, replications=replications, by_hops=by_hops, engine=engine, jobs=jobs))


def saturate(config: AnyConfig, overrides: Optional[Keys] = None, *, quick: bool = False, engine: str = "auto",
             jobs: Optional[int] = None, program: Optional[PathLike] = None) -> Loads:
    """Finds the load above which the backlog of a pattern grows, within 2 %, or 5 % if `quick`."""
    return _call(Loads, "saturate", config, overrides, program, _options(quick=quick, engine=engine, jobs=jobs))


def explain(config: AnyConfig, overrides: Optional[Keys] = None, *, tries: Optional[int] = None,
            engine: str = "auto", program: Optional[PathLike] = None) -> Explanation:
    """Explains a run: the critical path of a program, or where the packets of a pattern wait.

    tries: how many of the most promising changes are simulated (`what_if`).
    """
    return _call(Explanation, "explain", config, overrides, program,
                 _options(**{"try": tries}, engine=engine, progress=True))


def check(config: AnyConfig, overrides: Optional[Keys] = None, *, program: Optional[PathLike] = None) -> Result:
    """Validates a configuration, checks for deadlock, checks the schedule; simulates nothing."""
    return _call(Result, "check", config, overrides, program)


def topology(config: AnyConfig, overrides: Optional[Keys] = None, *,
             program: Optional[PathLike] = None) -> Topology:
    """Measures a network: distances, bisection, wires, routers; and gives its graph."""
    with _scratch() as scratch:
        graph = pathlib.Path(scratch, "graph.json")
        return _call(lambda data: Topology(data, json.loads(graph.read_text(encoding="utf-8"))), "topology",
                     config, overrides, program, _options(export=graph))


def find_schedule(config: AnyConfig, collective: str, overrides: Optional[Keys] = None, *,
                  output: Optional[PathLike] = None, chunks: Optional[int] = None,
                  message_bytes: Optional[int] = None, root: Union[int, str, None] = None,
                  method: str = "auto", time: Optional[float] = None, engine: str = "auto",
                  program: Optional[PathLike] = None) -> FoundSchedule:
    """Finds a schedule for a collective ("all_to_all", "all_gather", "reduce_scatter", "all_reduce",
    "broadcast", "scatter"), proves it, simulates it, and gives its gap to the lower bound.

    output: program file to write, .csv or .yaml, for `traffic.program`; message_bytes: payload of a
    block, for all_reduce of the vector; time: seconds to search for.
    """
    with _scratch() as scratch:
        file = pathlib.Path(output) if output is not None else pathlib.Path(scratch, "found.csv")

        def load(data: Dict[str, Any]) -> FoundSchedule:
            is_table = file.suffix == ".csv" and file.exists()
            return FoundSchedule(data, pd.read_csv(file) if is_table else None)
        return _call(load, "find-schedule", config, overrides, program,
                     _options(collective=collective, output=file, chunks=chunks, message_bytes=message_bytes,
                              root=root, method=method, time=time, engine=engine, progress=True))


def explore(study: Union[Keys, PathLike], overrides: Optional[Keys] = None, *, name: Optional[str] = None,
            db: Optional[PathLike] = None, engine: str = "auto", jobs: Optional[int] = None,
            estimate: bool = False, program: Optional[PathLike] = None) -> Exploration:
    """Finds the best of many designs.

    study: a file, or a dict as the file would hold it (testbench/app/study/README.md), whose `base` is
    any configuration; name: its name, by default that of the file, or "study". overrides are for the
    base. db: database of the results, from which the same call resumes a study that was interrupted,
    and reuses what is there; None: none is kept. jobs: runs at a time.
    """
    with _scratch() as scratch, study_words(study, overrides) as words:
        database = db if db is not None else pathlib.Path(scratch, "study.db")
        known = name or ("study" if isinstance(study, Mapping) else None)
        words = [*words, *_options(study=known, db=database, engine=engine, jobs=jobs, estimate=estimate)]

        def load(data: Dict[str, Any]) -> Exploration:
            view = _options(db=database, study=data["study"])
            return Exploration(data, pd.read_csv(io.StringIO(call_text("explore", ["export", *view], program))))
        return call_json("explore", words, program, load)


def keys(*names: str, program: Optional[PathLike] = None) -> str:
    """What configuration keys mean, with units, ranges and defaults: of all, or of keys, sections, or
    last words of paths. `print(flitscope.keys("fabric.topology"))`."""
    return call_text("keys", names, program)
