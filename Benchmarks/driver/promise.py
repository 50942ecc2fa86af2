"""Promises, what was found out about them, and how that is told."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Callable, Optional

import steadiness


@dataclass
class Measurement:
    """What a benchmark found: in the promise's unit, with the floor that was measured in the same run."""

    value: float
    floor: Optional[float] = None
    details: dict = field(default_factory=dict)
    # Why the value does not count, although there is one.
    objection: Optional[str] = None
    # The floor of each round. They show whether the machine was busy.
    floors: list = field(default_factory=list)

    @property
    def ratio(self):
        return self.value / self.floor if self.floor else None


class AtMost:
    """The value is small enough by itself."""

    def __init__(self, limit):
        self.limit = limit

    def text(self, measurement=None):
        return f"<={number(self.limit)}"

    def is_met(self, measurement):
        return measurement.value <= self.limit


class AtLeast(AtMost):
    """The value is large enough by itself."""

    def text(self, measurement=None):
        return f">={number(self.limit)}"

    def is_met(self, measurement):
        return measurement.value >= self.limit


class AtLeastAndShare(AtLeast):
    """The value is large enough by itself, and beside the floor."""

    def __init__(self, limit, share):
        super().__init__(limit)
        self.share = share

    def text(self, measurement=None):
        return f">={number(self.limit)}_and_{number(self.share)}x"

    def is_met(self, measurement):
        return super().is_met(measurement) and measurement.ratio is not None and measurement.ratio >= self.share


class RatioAtMost(AtMost):
    """The value is small enough beside the floor."""

    def text(self, measurement=None):
        return f"<={number(self.limit)}x"

    def is_met(self, measurement):
        return measurement.ratio is not None and measurement.ratio <= self.limit


class RatioAtLeast(AtMost):
    """The value is large enough beside the floor."""

    def text(self, measurement=None):
        return f">={number(self.limit)}x"

    def is_met(self, measurement):
        return measurement.ratio is not None and measurement.ratio >= self.limit


class MoreAtMost(AtMost):
    """The value is at most so much more than the floor, both in the promise's unit."""

    def text(self, measurement=None):
        return f"<=floor+{number(self.limit)}"

    def is_met(self, measurement):
        return measurement.floor is not None and measurement.value - measurement.floor <= self.limit


class TailAtMost:
    """A 99th percentile lies at most so much further from its median than that of the floor.

    What stretches one in a hundred writes (an interrupt, another thread, a page of memory) stretches one in a hundred calls
    in the same measure.
    """

    def __init__(self, factor):
        self.factor = factor

    def limit(self, measurement):
        return self.factor * measurement.floor / measurement.details["floorMedian"] * measurement.details["median"]

    def text(self, measurement=None):
        if measurement is None:
            return f"<={self.factor}x_of_floors_stretch"
        return f"<={number(self.limit(measurement))}"

    def is_met(self, measurement):
        return measurement.value <= self.limit(measurement)


@dataclass
class Promise:
    """What the project promises about one figure."""

    name: str
    unit: str
    goal: object
    # One line for people.
    text: str


@dataclass
class Benchmark:
    """Measures some promises: `run` gets the bench and returns a measurement for each name."""

    promises: list
    run: Callable
    # Programs of the system without which it cannot run.
    tools: tuple = ()
    # Whether figures get worse when other processes keep the machine busy; not those that only count.
    depends_on_load: bool = True


class Answer(Enum):
    """Whether a promise is met."""

    YES = "yes"
    NO = "no"
    # The figure misses the goal, and the machine was too busy to judge.
    UNKNOWN = "unknown"


@dataclass
class Result:
    """A promise with its measurement, or with the reason why there is none."""

    promise: Promise
    measurement: Optional[Measurement] = None
    # Why there is no measurement; `is_unavailable` when it is only that a tool is missing here.
    reason: Optional[str] = None
    is_unavailable: bool = False
    # Why the machine was too busy to judge; None when it was not.
    unsteady: Optional[str] = None

    @property
    def answer(self):
        if self.measurement is None or self.measurement.objection is not None:
            return Answer.NO
        if self.promise.goal.is_met(self.measurement):
            return Answer.YES
        return Answer.UNKNOWN if self.unsteady else Answer.NO

    @property
    def is_met(self):
        return self.answer is Answer.YES

    @property
    def remark(self):
        if self.answer is Answer.UNKNOWN:
            return self.unsteady
        return self.reason or (self.measurement.objection if self.measurement else None)

    def line(self):
        measured = self.measurement
        parts = [
            f"value={number(measured.value if measured else None)}",
            f"unit={self.promise.unit}",
            f"floor={number(measured.floor if measured else None)}",
            f"ratio={number(measured.ratio if measured else None)}",
            f"goal={self.promise.goal.text(measured)}",
            f"met={self.answer.value}",
        ]
        return f"promise: {self.promise.name} {' '.join(parts)}"

    def as_json(self):
        measured = self.measurement
        return {
            "name": self.promise.name, "text": self.promise.text, "unit": self.promise.unit,
            "value": measured.value if measured else None, "floor": measured.floor if measured else None,
            "ratio": measured.ratio if measured else None, "goal": self.promise.goal.text(measured),
            "met": self.answer.value, "remark": self.remark, "details": measured.details if measured else {},
        }


def results(benchmark, found, around):
    """A result for each promise of a benchmark. `found` has a measurement for each name, or `Unavailable`. `around` are the times of
    the fixed work before and after it."""
    def result(promise):
        measured = found.get(promise.name)
        if measured is None:
            return Result(promise, reason="the benchmark did not tell")
        if isinstance(measured, Unavailable):
            return Result(promise, reason=str(measured), is_unavailable=True)
        unsteady = steadiness.objection(measured.floors, around) if benchmark.depends_on_load else None
        return Result(promise, measured, unsteady=unsteady)

    return [result(promise) for promise in benchmark.promises]


class Unavailable(Exception):
    """A tool that a benchmark needs is not on this machine."""


def number(value):
    """A number with four significant digits at least, never with an exponent; `-` for none."""
    if value is None:
        return "-"
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    if abs(value) >= 1000:
        return f"{value:.0f}"
    decimals = 3
    while decimals < 9 and abs(value) * 10 ** decimals < 1000:
        decimals += 1
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")
