# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""flitscope in Python: runs, loads, explanations, studies and schedules as pandas frames.

A thin layer over the flitscope program, whose `--json` it reads (testbench/app/cli/JSON.md): each
function starts the program once and keeps nothing. `flitscope.figures` draws results with matplotlib.
"""
from .commands import check, curve, explain, explore, find_schedule, keys, run, saturate, topology
from .config import Config
from .errors import ConfigError, Finding, FlitscopeError, Interrupted, ProgramError, RunFailed
from .program import find_program, package_version
from .results import Exploration, Explanation, FoundSchedule, Loads, Result, Run, Topology

__version__ = package_version()
__all__ = [
    "Config", "ConfigError", "Exploration", "Explanation", "Finding", "FlitscopeError", "FoundSchedule",
    "Interrupted", "Loads", "ProgramError", "Result", "Run", "RunFailed", "Topology", "check", "curve",
    "explain", "explore", "find_program", "find_schedule", "keys", "run", "saturate", "topology",
]
