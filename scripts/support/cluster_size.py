"""Says what a cluster needs for a rate of events, and simulates it: see scripts/cluster-size --help."""

import argparse
import json
import math
import sys

import cluster_validation
from cluster_model import KEEPER_CORES, TABLE, Cluster, Costs, Plan, quantile

TARGET = 0.6  # how busy processors and tables may be with all zones
MOST_PARTITIONS = 64  # ClusterOptions.mostPartitions
NODE_MOST = 29_000  # events a second: what one node was measured to acknowledge, with all engines on its two processors
KNOWN_BLOCKS = 10_000  # replicated_deduplication_window
ZONE_NETWORK = 0.5e-3  # seconds one way between zones, assumed
DISK_SYNC = 0.2e-3  # seconds of a sync of a disk that is made for it, assumed
RATES = (50_000, 250_000, 1_000_000)  # of --sizes
MOST_CATCH_UP = 60  # simulated seconds after the loss of a zone
HOURS_A_MONTH = 730


def parts(argv):
    parser = argparse.ArgumentParser(
        prog="scripts/cluster-size", description="Machines for a rate of events, simulated with measured costs. Nothing is started.",
        epilog="The costs were measured on one machine with two processors; docs/SCALING.md says what follows from that.")
    parser.add_argument("--events-per-second", type=positive(1, 5_000_000), metavar="N", help="the rate, 1 to 5,000,000")
    parser.add_argument("--batch", type=positive(1, 400), default=20, help="events of a request (20)")
    parser.add_argument("--event-bytes", type=positive(50, 32_768), default=886, help="bytes of an event as JSON (886)")
    parser.add_argument("--compressed", type=positive(0.01, 1), default=1 / 6, help="how much compression leaves of it (1/6)")
    parser.add_argument("--zones", type=int, choices=(3,), default=3, help="the log and the store have a replica in each of 3")
    parser.add_argument("--node-cores", type=positive(1, 128), default=4)
    parser.add_argument("--log-cores", type=positive(1, 128), default=8)
    parser.add_argument("--store-cores", type=positive(1, 128), default=4)
    parser.add_argument("--core-price", type=positive(0, 1e6), help="your price of a core a month; there is none by default")
    parser.add_argument("--core-hour-price", type=positive(0, 1e4), help="your price of a core an hour, instead of a month")
    parser.add_argument("--seconds", type=positive(2, 600), default=20, help="simulated seconds of each part (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--present", action="store_true", help="one table and 64 partitions at most, as the program is today")
    parser.add_argument("--sensitivity", action="store_true", help="halves and doubles each cost, and says which ones matter")
    parser.add_argument("--sizes", action="store_true", help="a table for 50,000, 250,000 and 1,000,000 events a second")
    parser.add_argument("--validate", action="store_true", help="compares the model with everything that was measured")
    parser.add_argument("--costs", action="store_true", help="lists all constants with their sources")
    parser.add_argument("--json", action="store_true", help="the answer for programs")
    options = parser.parse_args(argv)
    if not (options.costs or options.validate or options.sizes or options.events_per_second):
        parser.error("--events-per-second is missing")
    if options.core_price is not None and options.core_hour_price is not None:
        parser.error("--core-price and --core-hour-price do not go together")
    return options


def positive(least, most):
    def number(text):
        value = float(text)
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text} is not from {least:,} to {most:,}")
        return int(value) if value == int(value) else value
    return number


def insert_seconds(costs, rows):
    """How long a table is taken by one block when nothing else runs, with the wait of the next node."""
    waits = (costs.ask_shortest + costs.ask_longest) / 2 + costs.ask_table
    return (costs.insert_first + rows * costs.row_first + costs.keeper_wait + costs.insert_other + rows * costs.row_other
            + 4 * ZONE_NETWORK + waits)


def blocks_a_second(costs, rate):
    """Of one table. An owner stores what waits, so blocks are not full, and a table always has one under way."""
    alone = insert_seconds(costs, 0)
    return (1 - min(0.9, rate * (insert_seconds(costs, 1) - alone))) / alone


def table_most(costs, batch):
    """Events a second of one table, with full blocks."""
    rows = min(costs.block_rows, costs.block_records * batch)
    return rows / insert_seconds(costs, rows)


def thirds(count):
    """A number of machines that three zones share evenly."""
    return max(3, math.ceil(count / 3) * 3)


def sizing(options, costs=Costs()):
    """How many of each the rate needs, so that two zones carry it."""
    rate, batch = options.events_per_second, options.batch
    record = batch * options.event_bytes * options.compressed
    records = rate / batch
    tables = 1 if options.present else max(1, math.ceil(rate / (TARGET * table_most(costs, batch))))
    blocks = tables * blocks_a_second(costs, rate / tables)
    keepers = max(1, math.ceil(blocks * costs.keeper_insert / TARGET / KEEPER_CORES))
    append = costs.log_group + costs.log_record + record * costs.log_byte
    partitions = max(16, math.ceil(4 * tables), math.ceil(records * (append + DISK_SYNC) / TARGET))
    if options.present:
        partitions = min(partitions, MOST_PARTITIONS)
    node_event = costs.intake_event + costs.store_event + costs.intake_record / batch
    work_of_nodes = rate * node_event / TARGET / options.node_cores
    nodes = thirds(max(work_of_nodes, rate / NODE_MOST) * 1.5)
    record_cost = 3 * append + costs.log_read_record
    looking = nodes * partitions * costs.looks * costs.idle_read
    nodes = thirds(nodes + looking / 2 / TARGET / options.node_cores)
    log = thirds((records * record_cost + looking / 2) / TARGET / options.log_cores)
    return {
        "nodes": nodes, "log_servers": log, "tables": tables, "store_servers": 3 * tables,
        "zookeepers": 3 * keepers, "partitions": partitions,
        "machines": nodes + log + 3 * tables + 3 * keepers,
        "cores": nodes * options.node_cores + log * options.log_cores + 3 * tables * options.store_cores
        + 3 * keepers * KEEPER_CORES,
        "nodes_by_their_work_alone": thirds(work_of_nodes * 1.5),
        "table_most": round(table_most(costs, batch)), "record_bytes": round(record),
        "store_gigabytes_a_day_and_replica": round(rate * 86_400 * costs.stored_row * options.event_bytes / 886 / 1e9),
        "log_megabytes_a_second_and_server": round(records * record * 3 / log / 1e6, 1),
        "log_syncs_a_second_and_server": round(records * 3 / log),
        "log_full_after_minutes_without_store": round(partitions * 2**30 / (records * record) / 60),
        "cores_that_look_at_records": round(looking, 1),
    }


def plan_of(options, size, seed, together):
    return Plan(
        nodes=size["nodes"], log_servers=size["log_servers"], partitions=size["partitions"], tables=size["tables"],
        keepers=size["zookeepers"] // 3,
        node_cores=options.node_cores, log_cores=options.log_cores, store_cores=options.store_cores, batch=options.batch,
        record_bytes=size["record_bytes"], rate=options.events_per_second, together=together, seed=seed)


def started(options, size, costs, together):
    costs = costs.changed(network=ZONE_NETWORK, log_sync=DISK_SYNC)
    return Cluster(plan_of(options, size, options.seed, together), costs).start()


def acknowledging(options, size, costs):
    """How long requests take, of a second in which each request is simulated by itself."""
    cluster = started(options, size, costs, 1)
    cluster.clock.run(1)
    return {"acknowledged_half_ms": round(quantile(cluster.delays, 0.5) * 1e3, 1),
            "acknowledged_99_ms": round(quantile(cluster.delays, 0.99) * 1e3, 1)}


def full_parts(options, size, costs):
    """How much of what each part can do the rate takes, in percent: with full blocks, and a group for each record of the log."""
    rate, batch = options.events_per_second, options.batch
    rows = min(costs.block_rows, costs.block_records * batch)
    blocks, records = rate / rows, rate / batch
    block = (costs.insert_first + 2 * costs.insert_other + costs.insert_later
             + rows * (costs.row_first + 2 * costs.row_other + costs.row_later))
    append = costs.log_group + costs.log_record + size["record_bytes"] * costs.log_byte
    looking = size["cores_that_look_at_records"] / 2
    shares = {
        "tables": rate / size["tables"] / size["table_most"],
        "store servers": blocks * block / size["store_servers"] / options.store_cores,
        "zookeepers": blocks * costs.keeper_insert / (size["zookeepers"] / 3) / KEEPER_CORES,
        "log servers": (records * (3 * append + costs.log_read_record) + looking) / size["log_servers"] / options.log_cores,
        "streams": records * (append + DISK_SYNC) / size["partitions"],
        "nodes": (records * (batch * (costs.intake_event + costs.store_event) + costs.intake_record) + looking)
        / size["nodes"] / options.node_cores}
    return {name: round(share * 100) for name, share in sorted(shares.items(), key=lambda each: -each[1])}


def usual_state(cluster, options, size):
    rate, seconds = options.events_per_second, options.seconds
    cluster.clock.run(seconds / 2)
    stored = cluster.stored
    cluster.clock.run(seconds)
    blocks = cluster.inserts / seconds / size["tables"]
    busy = {name: round(share * 100) for name, share in cluster.busy().items()}
    full = full_parts(options, size, cluster.costs)
    fullest = next(iter(full))
    return {
        "stored_99_s": round(quantile(cluster.ages, 0.99), 1), "waiting_usually": cluster.waiting,
        "keeps_up": cluster.stored - stored >= 0.93 * rate * seconds / 2,
        "busy_percent": busy, "taken_percent": full,
        "bends_first": fullest, "bends_at_events_per_second": round(rate * 100 / max(1, full[fullest])),
        "blocks_a_second_and_table": round(blocks, 1),
        "known_blocks_reach_back_minutes": round(KNOWN_BLOCKS / max(blocks, 1e-9) / 60),
    }


def without_a_zone(cluster, options):
    """A zone is lost now. The cluster has caught up when half as many events again wait as usually, and those of a second."""
    before, began = cluster.waiting, cluster.clock.now
    cluster.delays.clear()
    cluster.ages.clear()
    cluster.kill_zone(1)
    most, last = before, began
    for step in range(1, MOST_CATCH_UP + 1):
        cluster.clock.run(began + step)
        most = max(most, cluster.waiting)
        if cluster.waiting > 1.5 * before + options.events_per_second:
            last = cluster.clock.now
        elif step >= 15 and cluster.clock.now - last >= 3:
            break
    caught_up = cluster.clock.now - last >= 3
    return {
        "zone_longest_request_s": round(max(cluster.delays, default=0), 1),
        "zone_acknowledged_99_s": round(quantile(cluster.delays, 0.99), 1),
        "zone_most_waiting": most, "zone_stored_99_s": round(quantile(cluster.ages, 0.99), 1),
        "zone_caught_up_after_s": round(last - began) if caught_up else None, "zone_keeps_up": caught_up,
    }


def simulated(options, size, costs, tell=lambda text: None):
    """The size in its usual state, and when a zone is lost."""
    tell("simulating single requests")
    found = acknowledging(options, size, costs)
    tell("simulating the usual state")
    cluster = started(options, size, costs, max(1, round(options.events_per_second / options.batch / 1_000)))
    found |= usual_state(cluster, options, size)
    tell("simulating the loss of a zone")
    return found | without_a_zone(cluster, options)


def sensitivity(options, costs, tell):
    """The cost of the cores when a constant is halved and doubled, the largest effects first."""
    usual = sizing(options, costs)["cores"]
    effects = []
    for name in TABLE:
        tell(f"varying {name}")
        value = getattr(costs, name)
        cores = [sizing(options, costs.changed(**{name: value * factor}))["cores"] for factor in (0.5, 2)]
        effects.append({"constant": name, "cores_with_half": cores[0], "cores_with_double": cores[1],
                        "effect": round((max(cores) - min(cores)) / usual, 2)})
    return sorted(effects, key=lambda each: -each["effect"])


def shown(value):
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, dict):
        return ", ".join(f"{name} {share}" for name, share in value.items())
    return f"{value:,}" if isinstance(value, (int, float)) else str(value or "-")


def text(found):
    lines = [f"{name.replace('_', ' '):38} {shown(value)}" for name, value in {**found["size"], **found["simulated"]}.items()]
    for each in found.get("sensitivity", [])[:5]:
        lines.append(f"{each['constant']:24} half: {each['cores_with_half']:,} cores, double: {each['cores_with_double']:,}")
    if "price_a_month" in found:
        lines.append(f"price a month of these cores {found['price_a_month']:,.0f} (your price of a core; no disks, no network)")
    if found["needs_change"]:
        lines.append(f"The present program cannot do this: {found['needs_change']}.")
    return "\n".join(lines)


def table(answers):
    """Several answers side by side."""
    rows = [("events a second", [f"{each['events_per_second']:,}" for each in answers])]
    for part in ("size", "simulated"):
        rows += [(name.replace("_", " "), [shown(each[part][name]) for each in answers])
                 for name in answers[0][part] if not isinstance(answers[0][part][name], dict)]
    lines = [f"{name:38} {' '.join(f'{value:>14}' for value in values)}" for name, values in rows]
    lines += [f"{each['events_per_second']:,} a second needs a change: {each['needs_change']}."
              for each in answers if each["needs_change"]]
    return "\n".join(lines)


def what_to_change(size):
    """Why the present program cannot run a size; nothing when it can."""
    reasons = []
    if size["tables"] > 1:
        reasons.append(f"it has one table, and this needs {size['tables']}")
    if size["partitions"] > MOST_PARTITIONS:
        reasons.append(f"it has at most {MOST_PARTITIONS} partitions, and this needs {size['partitions']}")
    return ", and ".join(reasons)


def answer(options, tell=lambda text: None):
    costs = Costs()
    size = sizing(options, costs)
    found = {"events_per_second": options.events_per_second, "size": size,
             "simulated": simulated(options, size, costs, tell), "needs_change": what_to_change(size)}
    size["core_hours_a_month"] = size["cores"] * HOURS_A_MONTH
    if options.core_price is not None:
        found["price_a_month"] = size["cores"] * options.core_price
    if options.core_hour_price is not None:
        found["price_a_month"] = size["core_hours_a_month"] * options.core_hour_price
    if options.sensitivity:
        found["sensitivity"] = sensitivity(options, costs, tell)
    return found


def main(argv):
    options = parts(argv)
    if options.costs:
        for name, (value, source, kind) in TABLE.items():
            print(f"{name:20} {value:<10.6g} {kind:9} {source}")
        return 0
    if options.validate:
        figures = cluster_validation.figures()
        print(json.dumps(cluster_validation.values(figures), indent=2) if options.json else cluster_validation.text(figures))
        return 0 if all(each.holds for each in figures) else 1
    return show_answers(options)


def show_answers(options):
    def tell(text):
        print(f"cluster-size: {text}", file=sys.stderr)

    rates = RATES if options.sizes else (options.events_per_second,)
    answers = [answer(argparse.Namespace(**vars(options) | {"events_per_second": rate}), tell) for rate in rates]
    if options.json:
        print(json.dumps(answers if options.sizes else answers[0], indent=2))
    else:
        print(table(answers) if options.sizes else text(answers[0]))
    return 0 if all(each["simulated"]["keeps_up"] and each["simulated"]["zone_keeps_up"] for each in answers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
