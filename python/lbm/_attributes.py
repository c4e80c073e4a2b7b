# SPDX-License-Identifier: Apache-2.0
"""Attribute access to things that have names: `image.velocity` for `image["velocity"]`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar

T_co = TypeVar("T_co", covariant=True)


class ByAttribute(ABC, Generic[T_co]):
    """Gives the named things as attributes, too, under names that are no attribute yet."""

    @abstractmethod
    def __getitem__(self, name: str) -> T_co: ...

    @abstractmethod
    def _names(self) -> Iterable[str]: ...

    def __getattr__(self, name: str) -> T_co:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names()]
