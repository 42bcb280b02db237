# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations and studies as the program takes them: nothing in them is read here."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import Any, List, Mapping, Optional, Union

from .program import PathLike

Keys = Mapping[str, Any]


def to_yaml(value: Any) -> str:
    """The value as YAML on one line, which JSON nearly is: None is the word `none`, paths become
    absolute, values of numpy and pandas plain ones."""
    if value is None or isinstance(value, str) and value == "none":
        return "none"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {to_yaml(of)}" for key, of in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(to_yaml, value)) + "]"
    if hasattr(value, "tolist"):
        return to_yaml(value.tolist())
    if isinstance(value, os.PathLike):
        return json.dumps(os.path.abspath(value), ensure_ascii=False)
    if isinstance(value, (str, bool, int, float)):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    raise TypeError(f"a configuration cannot hold {value!r}")


def set_words(keys: Keys) -> List[str]:
    """The words of the command line that set these keys."""
    return [word for key, value in keys.items() for word in ("--set", f"{key}={to_yaml(value)}")]


@dataclasses.dataclass(frozen=True)
class Config:
    """A configuration: a file, or a dict as the file would hold it, and what overrides its keys.

    Keys, their units, ranges and defaults: models/config/KEYS.md, or `flitscope.keys("traffic")`.
    Relative names of files are relative to the configuration file in a file, and to the working
    directory in a dict and in overrides.

    >>> mesh = Config({"fabric": {"topology": {"kind": "mesh", "dims": [8, 8]}},
    ...                "traffic": {"schedule": "pex", "message_bytes": 256}})
    >>> deeper = mesh.override({"fabric.buffer_depth": 16})
    """

    source: Union[Keys, PathLike]
    overrides: Keys = dataclasses.field(default_factory=dict)  #: "fabric.buffer_depth": 16

    def override(self, keys: Keys) -> Config:
        """The same configuration with other values for these keys. A section that is given whole, as
        {"node": {}}, replaces all of it."""
        return Config(self.source, {**self.overrides, **keys})

    def words(self, folder: PathLike) -> List[str]:
        """The words of the command line. `folder` is for a file that is needed for as long as the
        program runs."""
        return [self.file(folder), *self.set_words()]

    def file(self, folder: PathLike) -> str:
        """The file; an empty one in `folder` where overrides say everything."""
        if not isinstance(self.source, Mapping):
            return os.fspath(self.source)
        empty = pathlib.Path(folder, "config.yaml")
        empty.write_text("{}\n", encoding="utf-8")
        return str(empty)

    def set_words(self) -> List[str]:
        """A dict is all overrides: their names of files are relative to the working directory, and
        errors name keys in full."""
        base = self.source if isinstance(self.source, Mapping) else {}
        return [*set_words(base), *set_words(self.overrides)]


AnyConfig = Union[Config, Keys, PathLike]


def config_of(config: AnyConfig, overrides: Optional[Keys] = None) -> Config:
    """The configuration of an argument, with these overrides."""
    known = config if isinstance(config, Config) else Config(config)
    return known.override(overrides or {})


def study_words(study: Union[Keys, PathLike], name: str, overrides: Optional[Keys],
                folder: PathLike) -> List[str]:
    """The words of the command line for a study: a file, or a dict whose `base` is any
    configuration, written to `folder`."""
    if not isinstance(study, Mapping):
        return [os.fspath(study), *set_words(overrides or {})]
    if "base" not in study:
        raise KeyError("base: a study needs the configuration that it starts from")
    base = config_of(study["base"], overrides)
    file = pathlib.Path(folder, f"{name}.yaml")
    file.write_text(to_yaml({**study, "base": os.path.abspath(base.file(folder))}), encoding="utf-8")
    return [str(file), *base.set_words()]
