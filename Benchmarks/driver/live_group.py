"""Scripts and destination filters: what they cost an event, and what an idle engine holds."""

from statistics import median

from client_group import named
from promise import AtMost, Benchmark, Measurement, Promise, RatioAtMost

PROGRAM = "LiveBenchmarks"



def live_plugins(bench):
    return named(bench.run(PROGRAM, "live-plugins", {
        "folder": bench.new_folder("live"), "rounds": bench.size["live_rounds"], "events": bench.size["live_events"]}))


def guarded(bench):
    return named(bench.run(PROGRAM, "live-plugin-guarded", {
        "folder": bench.new_folder("guarded"), "rounds": bench.size["live_rounds"],
        "events": bench.size["live_events"]}))


def filters(bench):
    return named(bench.run(
        PROGRAM, "filters", {"rounds": bench.size["filter_rounds"], "events": bench.size["filter_events"]}))


def loops(bench):
    return named(bench.run(
        PROGRAM, "live-plugin-loop", {"folder": bench.new_folder("loop"), "loops": bench.size["loops"]}))


def load(bench):
    return named(bench.run(PROGRAM, "live-plugin-load", {"rounds": bench.size["loads"]}))


def replacement(bench):
    return named(bench.run(PROGRAM, "live-plugin-replacement", {"events": bench.size["replacement_events"]}))


def signals(bench):
    return named(bench.run(PROGRAM, "signals", {
        "folder": bench.new_folder("signals"), "rounds": bench.size["live_rounds"],
        "signals": bench.size["signals"]}))


def health(bench):
    return named(bench.run(PROGRAM, "health", {
        "folder": bench.new_folder("health"), "rounds": bench.size["live_rounds"]}))


def guards(bench):
    return named(bench.run(PROGRAM, "script-guard", {"rounds": bench.size["live_rounds"]}))


def engine_memory(bench):
    runs = [bench.run(PROGRAM, "engine-memory", {})[0] for _ in range(bench.size["engines"])]
    return {
        "script-engine-first": Measurement(median(run["value"] for run in runs)),
        "script-engine-memory": Measurement(median(run["details"]["second"] for run in runs)),
    }


BENCHMARKS = [
    Benchmark([
        Promise("live-plugin-rename", "us", AtMost(30), "a live plugin renames a property of a 1.3 KB event"),
        Promise("live-plugin-rename-asleep", "us", RatioAtMost(4),
                "the same, after the processor has slept; the floor is the engine's reading and writing after a sleep"),
        Promise("live-plugin-rename-batch", "us", AtMost(30), "the same, when events come in a row"),
        Promise("live-plugin-rename-data", "us", AtMost(2),
                "the same plugin as data, when events come in a row; the floor is the plugin in the engine"),
        Promise("live-plugin-other-type", "us", AtMost(0.3), "an event of a type that no live plugin handles"),
        Promise("live-plugin-further", "us", RatioAtMost(1.5),
                "each live plugin beyond the first, all of which rename; the floor is reading and writing the event"),
    ], live_plugins),
    Benchmark([
        Promise("live-plugin-permissions", "us", AtMost(2),
                "what the app's permissions for scripts add to a live plugin that renames a property"),
        Promise("live-plugin-shadow", "us", RatioAtMost(1.3),
                "what a shadow adds to an event, with the comparison; the floor is the same live plugin alone"),
    ], guarded),
    Benchmark([
        Promise("live-plugin-loop", "ms", AtMost(50),
                "what an endless plugin holds an event up beyond its budget of 100 ms, at worst"),
    ], loops),
    Benchmark([
        Promise("live-plugin-load", "ms", AtMost(20), "a bundle is loaded, in an engine of its own"),
    ], load),
    Benchmark([
        Promise("live-plugin-replacement", "events", AtMost(0),
                "events that were lost, or met two versions or an older one, while ten versions were deployed"),
    ], replacement, depends_on_load=False),
    Benchmark([
        Promise("signal-emit", "us", AtMost(5), "a call of emit, on the caller's thread"),
        Promise("signal-process", "us", AtMost(40), "a signal through buffer, broadcasters and a generator"),
    ], signals),
    Benchmark([
        Promise("health-report", "us", RatioAtMost(1.25),
                "processor time of a health report, beside a look at the settings; the floor is the look"),
        Promise("health-traffic", "%", AtMost(1),
                "health reports of a client with 1,000 events a day, of all that it sends"),
    ], health),
    Benchmark([
        Promise("filters-100-rules", "us", AtMost(3), "100 rules of a destination look at an event, none acts"),
        Promise("filters-100-rules-acting", "us", AtMost(3), "the same, and one removes a property"),
        Promise("filters-100-rules-scattered", "us", AtMost(3), "100 rules of many kinds over twenty properties"),
        Promise("filters-10000-rules", "us", AtMost(3), "10,000 rules of a destination, none acts"),
        Promise("filters-other-destinations", "us", RatioAtMost(1.1),
                "100 rules beside 10,000 of other destinations; the floor is without them"),
    ], filters),
    Benchmark([
        Promise("script-guard", "us", RatioAtMost(1.5),
                "a script's loop of 10,000 additions and 10,000 calls with guards; the floor is without"),
    ], guards),
    Benchmark([
        Promise("script-engine-first", "MB", AtMost(3.5),
                "private memory of the first idle script engine, with what JavaScriptCore keeps once for a process"),
        Promise("script-engine-memory", "MB", AtMost(2), "private memory of each further one"),
    ], engine_memory, depends_on_load=False),
]
