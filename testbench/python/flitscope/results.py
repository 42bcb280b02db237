# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Results: the object that the program printed, and its lists as pandas frames."""
from __future__ import annotations

import json
import pathlib
from typing import Any, Dict, Iterator, Mapping, Optional

import pandas as pd

from .program import PathLike


class Result:
    """What a command has printed. `result["cycles"]`, `result["latency.mean"]` are its fields, whose
    types, units and meanings are in testbench/app/cli/JSON.md; `data` is all of it."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data

    def __getitem__(self, path: str) -> Any:
        value: Any = self.data
        for name in path.split("."):
            value = value[name]
        return value

    def __contains__(self, path: str) -> bool:
        try:
            self[path]
        except (KeyError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.data)

    def frame(self, path: str) -> pd.DataFrame:
        """A list of objects as a frame, one row each; `a.b` is the column of the field b of a."""
        return pd.json_normalize(self[path])

    def __repr__(self) -> str:
        plain = {name: value for name, value in self.data.items()
                 if isinstance(value, (str, int, float)) and name != "version"}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in list(plain.items())[:8])}, ...)"


class Run(Result):
    """A simulation: the fields of `run --json`, and the tables of the run (JSON.md, "tables of a run").
    Cycles count from 0; `Run["clock_ns"]` is the length of one."""

    def __init__(self, data: Mapping[str, Any], tables: Mapping[str, pd.DataFrame],
                 folder: Optional[pathlib.Path] = None) -> None:
        super().__init__(data)
        self.tables = tables  #: by name: "links"
        self.folder = folder  #: with the files of the run, where it was asked to keep them

    @classmethod
    def load(cls, folder: PathLike) -> Run:
        """A run from the folder that `run(..., out=folder)` or `flitscope run --out` has written."""
        place = pathlib.Path(folder)
        data = json.loads((place / "summary.json").read_text(encoding="utf-8"))
        tables = {pathlib.Path(name).stem: pd.read_csv(place / name)
                  for name in data["files"] if name.endswith(".csv")}
        return cls(data, tables, place)

    def table(self, name: str) -> pd.DataFrame:
        """A table of this run, as `links`."""
        if name not in self.tables:
            raise KeyError(f"this run has no table of {name}, but of {', '.join(sorted(self.tables))}")
        return self.tables[name]

    @property
    def cycles(self) -> int:
        """The makespan in cycles."""
        return int(self["cycles"])

    @property
    def links(self) -> pd.DataFrame:
        """Every directed link: flits, busy and blocked cycles, utilization (a share of 1)."""
        return self.table("links")

    @property
    def nodes(self) -> pd.DataFrame:
        """Every node: flits that it put into the network and took out."""
        return self.table("nodes")

    @property
    def steps(self) -> pd.DataFrame:
        """Every step of a program: start and end in cycles, contention. Patterns have no steps."""
        return self.table("steps")

    @property
    def ranks(self) -> pd.DataFrame:
        """Every rank of a trace or a kernel: its end in cycles and in ns."""
        return self.table("ranks")

    @property
    def messages(self) -> pd.DataFrame:
        """Every message, of a run with messages=True: cycles of its send, injection and delivery."""
        return self.table("messages")

    @property
    def energy(self) -> pd.DataFrame:
        """The energy in J of every link, of a run with energy=True."""
        return self.table("energy")


class Loads(Result):
    """Latency and accepted traffic of a pattern by load, of `curve` or `saturate`. Loads are in flits
    per cycle and generating node, headers included; latencies in cycles."""

    @property
    def points(self) -> pd.DataFrame:
        """One row for each load (JSON.md, "load point"), the lowest first."""
        points = self.frame("points" if "points" in self else "runs")
        return points.sort_values("rate", ignore_index=True)

    @property
    def saturation(self) -> float:
        """The middle of the bracket of the saturation load; of `saturate` only."""
        return float((self["saturation.lower"] + self["saturation.upper"]) / 2)


class Explanation(Result):
    """Why a run takes so long: every cycle has one cause (testbench/app/explain/README.md)."""

    @property
    def causes(self) -> pd.Series:
        """Cycles by cause: of the critical path, or for a pattern of all its packets."""
        return pd.Series(self["causes"], name="cycles", dtype="int64")

    @property
    def channels(self) -> pd.DataFrame:
        """Cycles and causes of each channel on the critical path, or at which packets waited."""
        return self.frame("channels")

    @property
    def path(self) -> pd.DataFrame:
        """The critical path of a program: its segments, from cycle 0 on."""
        return self.frame("path")

    @property
    def what_if(self) -> pd.DataFrame:
        """Changes of keys with a bound on their gain, and for those that were tried the gain."""
        return self.frame("what_if")


class Exploration(Result):
    """The designs of a study."""

    def __init__(self, data: Mapping[str, Any], points: pd.DataFrame) -> None:
        super().__init__(data)
        self.points = points  #: every design: digest, state, the value on each axis, objectives

    @property
    def front(self) -> pd.DataFrame:
        """Of the points those that no other one dominates."""
        digests = [design["digest"] for design in self["front"]]
        return self.points.set_index("digest").loc[digests].reset_index()


class FoundSchedule(Result):
    """A schedule that was found for a collective, its cycles and the lower bound on all schedules."""

    def __init__(self, data: Mapping[str, Any], messages: Optional[pd.DataFrame]) -> None:
        super().__init__(data)
        self.messages = messages  #: as in the program file; None for one in YAML, and if none was written


class Topology(Result):
    """What a network costs and how far its nodes are apart; its graph."""

    def __init__(self, data: Mapping[str, Any], graph: Dict[str, Any]) -> None:
        super().__init__(data)
        self.graph = graph

    @property
    def links(self) -> pd.DataFrame:
        """Every directed link: the routers and ports at its ends, length in node pitches, delay in
        cycles."""
        return pd.DataFrame(self.graph["links"] or {"from": [], "to": []})

    @property
    def positions(self) -> pd.DataFrame:
        """The place of every router in the layout, by its number: a column per dimension."""
        return pd.DataFrame(self.graph["positions"])
