# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Figures of results, for notebooks: each draws into `ax`, or axes of its own, and returns them.

They need matplotlib, the only part of the package that does.
"""
from __future__ import annotations

from math import dist
from typing import Any, List, Mapping, Optional, Tuple, Union

import pandas as pd

from .results import Exploration, Explanation, Loads, Run, Topology

try:
    from matplotlib import pyplot
    from matplotlib.collections import LineCollection
except ImportError as missing:
    raise ImportError("flitscope.figures needs matplotlib: Debian package python3-matplotlib, or "
                      "pip install flitscope[figures]") from missing

Place = Tuple[float, float]


def _axes(ax: Any, x: str, y: str, height: float = 3.6) -> Any:
    if ax is None:
        ax = pyplot.subplots(figsize=(7, height), layout="constrained")[1]
    ax.set(xlabel=x, ylabel=y)
    return ax


def _by_name(results: Any, kind: type) -> Mapping[str, Any]:
    return {"": results} if isinstance(results, kind) else dict(results)


def latency(curves: Union[Loads, Mapping[str, Loads]], ax: Any = None) -> Any:
    """Mean latency over the accepted load, with intervals; of several networks by name. Loads that
    are not stable are left out, since their latency grows for as long as they run."""
    ax = _axes(ax, "accepted (flits per node and cycle)", "mean latency (cycles)")
    for name, loads in _by_name(curves, Loads).items():
        points = loads.points
        stable = points[points["status"] == "stable"]
        ax.errorbar(stable["accepted"], stable["latency.mean"], yerr=stable["latency.half_width"],
                    marker="o", markersize=4, capsize=2, label=name)
    ax.set_ylim(bottom=0)
    return _legend(ax)


def links(run: Run, most: int = 15, ax: Any = None) -> Any:
    """The busiest links of a run: the share of cycles in which they send, and in which packets hold
    them and send nothing."""
    table = run.links.sort_values("busy_cycles").tail(most)
    ax = _axes(ax, "share of cycles", "", 1 + 0.22 * len(table))
    cycles = run["simulated_cycles"]
    ax.barh(table["link"], table["busy_cycles"] / cycles, label="sends")
    ax.barh(table["link"], table["blocked_cycles"] / cycles, left=table["busy_cycles"] / cycles,
            label="held, blocked", color="tab:orange")
    ax.legend(loc="lower right")
    return ax


def network(topology: Topology, run: Optional[Run] = None, ax: Any = None) -> Any:
    """The routers in their layout and the links between them, coloured by their utilization in a run
    where there is one. The direction that sends more is shown; layouts of more than two dimensions
    are drawn by the last two."""
    places = _places(topology)
    table = topology.links[["from", "to"]].assign(utilization=0.0)
    if run is not None:
        table = run.links[["from", "to", "utilization"]]
    drawn = table.sort_values("utilization")
    ends = [(places[row[0]], places[row[1]]) for row in drawn[["from", "to"]].itertuples(index=False)]
    pitch = min((dist(*pair) for pair in ends), default=1)
    ax = _axes(ax, "", "", 5)
    collection = LineCollection([_arc(*pair, pitch) for pair in ends], cmap="viridis_r",
                                linewidths=min(3, max(0.8, 900 / (len(ends) or 1))))
    collection.set_array(drawn["utilization"].to_numpy(dtype=float))
    ax.add_collection(collection)
    columns, rows = zip(*places)
    ax.scatter(columns, rows, s=30, color="black", zorder=3)
    wide, high = max(columns) - min(columns), max(rows) - min(rows)
    ax.set(aspect="equal" if wide <= 2 * high and high <= 2 * wide else "auto", xticks=[], yticks=[])
    if run is not None:
        ax.figure.colorbar(collection, ax=ax, label="utilization (share of cycles)")
    return ax


def _places(topology: Topology) -> List[Place]:
    """Columns run along the last dimension, rows downwards along the one before."""
    rows = [list(row) for row in topology.positions.itertuples(index=False)]
    return [(float(row[-1]), -float(row[-2]) if len(row) > 1 else 0.0) for row in rows]


def _arc(begin: Place, end: Place, pitch: float) -> List[Place]:
    """A line; one that passes other routers of its row or column is bent, to the other side in the other
    direction, so that it can be told from the links between them."""
    across, down = end[0] - begin[0], end[1] - begin[1]
    bend = 0.12 if 0 in (across, down) and dist(begin, end) > 1.5 * pitch else 0.0
    parts = [(i / 8, bend * i / 8 * (1 - i / 8) * 4) for i in range(9)]
    return [(begin[0] + across * t - down * side, begin[1] + down * t + across * side) for t, side in parts]


def causes(explanations: Union[Explanation, Mapping[str, Explanation]], ax: Any = None) -> Any:
    """Where the cycles go: a bar per run, by cause."""
    named = _by_name(explanations, Explanation)
    table = pd.DataFrame({name: found.causes for name, found in named.items()}).T
    table = table.loc[::-1, table.any()]
    ax = _axes(ax, "cycles", "", 1.4 + 0.4 * len(table))
    table.plot.barh(stacked=True, ax=ax, colormap="tab20")
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    ax.set_xlabel("cycles")
    return ax


def ranks(runs: Union[Run, Mapping[str, Run]], ax: Any = None) -> Any:
    """When each rank of a trace finished; of several runs by name."""
    ax = _axes(ax, "rank", "end (ns)")
    for name, found in _by_name(runs, Run).items():
        ax.plot(found.ranks["rank"], found.ranks["end_ns"], marker="o", markersize=4, label=name)
    ax.set_ylim(0, 1.1 * ax.dataLim.y1)
    return _legend(ax)


def front(exploration: Exploration, x: str, y: str, label: Optional[str] = None, ax: Any = None) -> Any:
    """Two objectives of the designs that were measured, those on the front joined; `label` is the axis
    of the study whose value is written beside these."""
    ax = _axes(ax, x, y)
    points, best = exploration.points, exploration.front.sort_values(x)
    ax.scatter(points[x], points[y], s=14, color="tab:gray", label="measured")
    ax.plot(best[x], best[y], marker="o", color="tab:red", label="front")
    ax.margins(x=0.12)  # room for labels
    for row in best.to_dict("records") if label else []:
        ax.annotate(str(row[label]), (row[x], row[y]), xytext=(4, 4), textcoords="offset points", fontsize=8)
    return _legend(ax)


def _legend(ax: Any) -> Any:
    if any(name for name in ax.get_legend_handles_labels()[1]):
        ax.legend()
    return ax
