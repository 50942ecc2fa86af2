"""A small discrete-event simulation: a clock, tasks, and machines with processors that programs share.

A task is a generator. It yields a number of seconds to sleep, or a `Signal` to wait for. Nothing here knows a cluster.
"""

import heapq
from collections import deque
from itertools import count


class Signal:
    """Fires once and wakes the tasks that wait for it."""

    __slots__ = ("fired", "waiting")

    def __init__(self):
        self.fired = False
        self.waiting = []


class Clock:
    """Runs tasks in the order of their times. The same tasks make the same run."""

    def __init__(self):
        self.now = 0.0
        self._numbers = count()
        self._calls = []

    def at(self, time, call, value=None):
        heapq.heappush(self._calls, (time, next(self._numbers), call, value))

    def start(self, task):
        """Starts a task now; the signal fires at its end."""
        done = Signal()
        self._step(task, done)
        return done

    def fire(self, signal):
        if signal.fired:
            return
        signal.fired = True
        waiting, signal.waiting = signal.waiting, []
        for task, done in waiting:
            self._step(task, done)

    def run(self, until, finished=lambda: False):
        """Runs until a time, or until `finished` says so."""
        while self._calls and self._calls[0][0] <= until and not finished():
            self.now, _, call, value = heapq.heappop(self._calls)
            call(value)
        if not finished():
            self.now = until

    def _resume(self, pair):
        self._step(*pair)

    def _step(self, task, done):
        for wish in task:
            if isinstance(wish, Signal):
                if wish.fired:
                    continue
                wish.waiting.append((task, done))
            else:
                self.at(self.now + wish, self._resume, (task, done))
            return
        self.fire(done)


class Machine:
    """Processors that all running threads share evenly, as the scheduler of an operating system does."""

    def __init__(self, clock, cores):
        self.clock, self.cores = clock, cores
        self._served = 0.0  # seconds that each thread would have got if it had run from the beginning
        self._since = 0.0
        self._running = []
        self._numbers = count()
        self._version = 0

    @property
    def _rate(self):
        return min(1.0, self.cores / len(self._running)) if self._running else 1.0

    def _catch_up(self):
        self._served += (self.clock.now - self._since) * self._rate
        self._since = self.clock.now

    def _plan(self):
        self._version += 1
        if self._running:
            rest = max(0.0, self._running[0][0] - self._served)
            self.clock.at(self.clock.now + rest / self._rate, self._end, self._version)

    def run(self, seconds, signal, program):
        self._catch_up()
        heapq.heappush(self._running, (self._served + seconds, next(self._numbers), signal, program))
        self._plan()

    def _end(self, version):
        if version != self._version:
            return
        self._catch_up()
        _, _, signal, program = heapq.heappop(self._running)
        program.ended()
        self._plan()
        self.clock.fire(signal)


class Program:
    """A process with some threads on a machine. Work beyond its threads waits in its order."""

    def __init__(self, machine, threads):
        self.machine, self.threads = machine, threads
        self.busy = 0
        self.spent = 0.0
        self._waiting = deque()

    def work(self, seconds):
        signal = Signal()
        self.spent += seconds
        if self.busy < self.threads:
            self.busy += 1
            self.machine.run(seconds, signal, self)
        else:
            self._waiting.append((seconds, signal))
        return signal

    def ended(self):
        self.busy -= 1
        if self._waiting:
            self.busy += 1
            self.machine.run(*self._waiting.popleft(), self)


class Turns:
    """Lets one task at a time go on, in the order in which they asked."""

    def __init__(self, clock):
        self.clock = clock
        self.taken = False
        self._waiting = deque()

    def take(self):
        signal = Signal()
        if self.taken:
            self._waiting.append(signal)
        else:
            self.taken = True
            signal.fired = True
        return signal

    def end(self):
        if self._waiting:
            self.clock.fire(self._waiting.popleft())
        else:
            self.taken = False
