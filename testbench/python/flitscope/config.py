# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""Configurations and studies as the program takes them: nothing in them is read here."""
from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import tempfile
import uuid
from typing import Any, Iterator, List, Mapping, Optional, Union

from .program import SCRATCH, PathLike

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


AnyConfig = Union[Config, Keys, PathLike]


def config_of(config: AnyConfig, overrides: Optional[Keys] = None) -> Config:
    """The configuration of an argument, with these overrides."""
    known = config if isinstance(config, Config) else Config(config)
    return known.override(overrides or {})


@contextlib.contextmanager
def _file(source: Union[Keys, PathLike], is_kept: bool = False) -> Iterator[str]:
    """The name of a file. A dict becomes a hidden one in the working directory, where its names of
    files begin, for as long as it is needed; where nobody may write there, one among temporary files.
    `is_kept`: databases keep its name, which is the same for the same dict."""
    if not isinstance(source, Mapping):
        yield os.fspath(source)
        return
    text = to_yaml(source)
    mark = hashlib.sha1(text.encode()).hexdigest() if is_kept else uuid.uuid4().hex
    here = os.curdir if os.access(os.curdir, os.W_OK) else tempfile.gettempdir()
    file = pathlib.Path(here, f".{SCRATCH}{mark}.yaml")
    file.write_text(text, encoding="utf-8")
    try:
        yield str(file)
    finally:
        file.unlink(missing_ok=True)


@contextlib.contextmanager
def config_words(config: AnyConfig, overrides: Optional[Keys]) -> Iterator[List[str]]:
    """The words of the command line for a configuration."""
    known = config_of(config, overrides)
    with _file(known.source) as file:
        yield [file, *set_words(known.overrides)]


@contextlib.contextmanager
def study_words(study: Union[Keys, PathLike], overrides: Optional[Keys]) -> Iterator[List[str]]:
    """The words of the command line for a study: a file, or a dict whose `base` is any configuration."""
    if not isinstance(study, Mapping):
        yield [os.fspath(study), *set_words(overrides or {})]
        return
    if "base" not in study:
        raise KeyError("base: a study needs the configuration that it starts from")
    base = config_of(study["base"], overrides)
    with _file(base.source, is_kept=True) as base_file:
        with _file({**study, "base": os.path.abspath(base_file)}, is_kept=True) as file:
            yield [file, *set_words(base.overrides)]
