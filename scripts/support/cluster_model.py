"""A model of a cluster: clients, nodes, the log, the store and failures, with what each step was measured to cost.

The figures come from one machine with two shared processors that had all programs on it (docs/SCALING.md, Limits). The model
puts the same steps on any number of machines. Times are seconds, sizes are bytes.
"""

import random
from collections import Counter, deque
from dataclasses import dataclass, field

from simulation import Clock, Machine, Program, Signal, Turns

KEEPER_CORES = 4  # of a group of ZooKeeper: its leader works


def cost(value, source, kind):
    """A constant with its source. `kind` says how it is known: "measured", "design", "fitted" or "assumed"."""
    return value, source, kind


# Each constant once. "fitted" ones were chosen so that the model spends what the bench measured for an event (142 µs: ClickHouse
# 65, NATS 31, nodes 34, ZooKeeper 12). None was chosen by a rate, a delay or the time of a takeover: these are predicted.
TABLE = {
    "intake_event": cost(6.3e-6, "PERFORMANCE: 158,000 events a second and core on one machine", "measured"),
    "intake_record": cost(30e-6, "reference: 29,000 records a second from a client in Swift", "measured"),
    "client_event": cost(1e-6, "wrk reads its bodies from memory", "assumed"),
    "log_record": cost(36e-6, "reference: 45 µs for 2 KB and 89 µs for 12 KB, of each replica; one stream with large groups", "measured"),
    "log_byte": cost(4.4e-9, "the same two figures", "measured"),
    "log_group": cost(430e-6, "of each replica, for records that a stream appends at once: NATS takes 31 µs an event", "fitted"),
    "group_records": cost(512, "NATS: maxEntries in server/raft.go", "design"),
    "group_bytes": cost(256 << 10, "NATS: maxBatch in server/raft.go", "design"),
    "log_read_record": cost(15e-6, "reference: 29,000 records a second are read; half of it in the server", "measured"),
    "log_sync": cost(40e-6, "reference: 6,000 records a second with three syncs each on one disk: at most this", "measured"),
    "election_shortest": cost(4.0, "NATS: minElectionTimeoutDefault in server/raft.go", "design"),
    "election_longest": cost(9.0, "NATS: maxElectionTimeoutDefault in server/raft.go", "design"),
    "idle_read": cost(0.9e-3, "an idle cluster: 23 % of a processor for 240 reads of records a second and 16 streams", "measured"),
    "idle_stream": cost(1.25e-3, "reference: 32 idle streams take 4 % of a core; processor seconds a second", "measured"),
    "looks": cost(5, "PartitionMachine.pause: 200 ms; SCALING, Speed", "design"),
    "store_event": cost(20e-6, "nodes take 34 µs an event in all", "fitted"),
    "index_event": cost(0.2e-6, "a new owner reads the ids of 15 minutes", "assumed"),
    "insert_first": cost(25e-3, "an insert takes 50 ms on an idle machine", "fitted"),
    "insert_other": cost(18e-3, "an insert takes 50 ms on an idle machine", "fitted"),
    "insert_later": cost(150e-3, "merges and files of a block on three replicas: ClickHouse takes 65 µs an event in all", "fitted"),
    "row_first": cost(6.3e-6, "ClusterOptions: 129 µs an event with 1 MB a block, 35 with 8 MB: 18.7 µs a row in all", "measured"),
    "row_other": cost(2e-6, "a replica that fetches a block does not parse it", "assumed"),
    "row_later": cost(8.4e-6, "the rest of 18.7 µs: merges", "measured"),
    "keeper_insert": cost(58e-3, "ZooKeeper takes 12 µs an event", "fitted"),
    "keeper_wait": cost(5e-3, "the part of it for which an insert waits", "assumed"),
    "keeper_silent": cost(10.0, "deploy/engines/zoo.cfg: tickTime times syncLimit, until servers give a silent leader up", "design"),
    "keeper_election": cost(1.0, "no server of several was killed here", "assumed"),
    "ask_table": cost(3e-3, "a small read of ClickHouse", "assumed"),
    "courtesy": cost(50e-3, "ClickHouseClient.courtesy", "design"),
    "ask_shortest": cost(10e-3, "ClickHouseClient.waitUntilNoInsertRuns", "design"),
    "ask_longest": cost(30e-3, "ClickHouseClient.waitUntilNoInsertRuns", "design"),
    "block_records": cost(400, "ClusterOptions.recordsInBlock", "design"),
    "block_bytes": cost(8 << 20, "ClusterOptions.bytesInBlock", "design"),
    "block_rows": cost(8_192, "ClusterNumber.rowsInBlock", "design"),
    "patience": cost(4.0, "ClusterOptions.patience", "design"),
    "pulse": cost(1.0, "ClusterOptions.pulse", "design"),
    "prepare": cost(0.15, "reads of a new owner: whole replica, index", "assumed"),
    "network": cost(0.05e-3, "one way, within a machine", "assumed"),
    "stored_row": cost(213, "reference: bytes of a row in ClickHouse, from 886", "measured"),
}


@dataclass(frozen=True)
class Costs:
    """The constants as values, so that a variation changes one of them."""
    values: tuple = tuple((name, value) for name, (value, _, _) in TABLE.items())

    def __getattr__(self, name):
        for key, value in self.values:
            if key == name:
                return value
        raise AttributeError(name)

    def changed(self, **new):
        unknown = set(new) - set(TABLE)
        if unknown:
            raise ValueError(f"no such constant: {', '.join(sorted(unknown))}")
        return Costs(tuple((name, new.get(name, value)) for name, value in self.values))


@dataclass(frozen=True)
class Plan:
    """What a cluster consists of, and what arrives."""
    nodes: int = 3
    log_servers: int = 3
    partitions: int = 16
    tables: int = 1
    keepers: int = 1  # groups of ZooKeeper; each table has one of them
    shared_cores: float = 0  # all programs on one machine with these processors; 0: each program has its own machine
    node_cores: float = 4
    log_cores: float = 4
    store_cores: float = 4
    zones: int = 3
    batch: int = 20
    record_bytes: int = 2_952
    rate: float = 0  # events a second that arrive by themselves
    connections: int = 0  # otherwise: clients of each node that send one request after the other
    pause: float = 0  # of such a client, between an answer and the next request
    devices: bool = False  # such a client is one device, so all its requests go to one partition
    together: int = 1  # requests that the model treats as one, so that large sizes stay quick
    seconds: float = 5
    seed: int = 1


class Frozen:
    """The costs as attributes: quick to read."""

    def __init__(self, costs):
        self.__dict__.update(costs.values)


@dataclass
class Partition:
    """A partition of the log, and its record."""
    number: int
    leader: int
    together: int = 1
    owner: int = -1
    asked: deque = field(default_factory=deque)  # (records, bytes, signal) of each append that has no majority yet
    leads: bool = False  # whether the leader works on them
    waiting: deque = field(default_factory=deque)  # (records, bytes, time) of each append that is not stored yet
    announced: tuple = ()  # (records, time) of each append in the block that its owner stores
    records: int = 0
    size: int = 0
    stored: int = 0
    changed: float = 0.0
    blocked: Signal = None
    lost: float = None


class Cluster:
    """One run of a plan."""

    def __init__(self, plan, costs=Costs()):
        self.plan, self.costs, self.random = plan, Frozen(costs), random.Random(plan.seed)
        self.clock = Clock()
        shared = Machine(self.clock, plan.shared_cores) if plan.shared_cores else None

        def programs(count, cores, threads=None):
            return [Program(shared or Machine(self.clock, cores), threads or max(2, int(shared and 2 or cores)))
                    for _ in range(count)]

        self.nodes = programs(plan.nodes, plan.node_cores)
        self.log = programs(plan.log_servers, plan.log_cores)
        self.stores = [programs(3, plan.store_cores) for _ in range(plan.tables)]
        self.keepers = programs(plan.keepers, KEEPER_CORES)
        self.loads = programs(plan.nodes, 64, 1 if shared else 64)
        self.alive = [True] * plan.nodes
        self.log_alive = [True] * plan.log_servers
        self.store_alive = [[True] * 3 for _ in range(plan.tables)]
        self.turns = [[Turns(self.clock) for _ in range(plan.tables)] for _ in range(plan.nodes)]
        self.last_insert = [[-1.0] * plan.tables for _ in range(plan.nodes)]
        self.inserting = [False] * plan.tables
        self.partitions = [
            Partition(number, number % plan.log_servers, plan.together) for number in range(plan.partitions)]
        self.records_stream = Partition(-1, 0)
        self.lanes = {}  # the turns of a partition at a server
        self.keeper_silence = [None] * plan.keepers
        self.sending = True
        # Events: those in the log, those whose request was answered, and those in the store.
        self.appended, self.acknowledged, self.stored = 0, 0, 0
        self.groups, self.inserts, self.table_seconds = 0, 0, 0.0
        self.delays, self.ages, self.takeovers, self.answers = [], [], [], []

    # The log

    def replicas(self, partition):
        """The servers that keep a partition: the leader's number and the two that follow it."""
        return [(partition.number + step) % self.plan.log_servers for step in range(3)]

    def lane(self, partition, server):
        """A server works on one group of a stream after the other."""
        key = partition.number, server
        if key not in self.lanes:
            self.lanes[key] = Turns(self.clock)
        return self.lanes[key]

    def append(self, partition, records, size):
        """Returns when a majority has the records."""
        yield self.costs.network
        has_majority = Signal()
        partition.asked.append((records, size, has_majority))
        if not partition.leads:
            partition.leads = True
            self.clock.start(self.lead(partition))
        yield has_majority
        yield self.costs.network

    def lead(self, partition):
        """The leader of a stream appends what waits as one group, and then what came meanwhile."""
        while partition.asked:
            while partition.blocked:
                yield partition.blocked
            group, leader = self.group(partition), partition.leader
            work = self.group_work(partition, group)
            yield self.log[leader].work(work)
            if not self.log_alive[leader]:
                partition.asked.extendleft(reversed(group))
                continue
            self.clock.start(self.replicate(partition, leader, group, work))
            yield self.costs.log_sync * partition.together
        partition.leads = False

    def group(self, partition):
        """Takes the next group out of what waits. An append of the model stands for one in each of several groups."""
        costs, asked, group, size = self.costs, partition.asked, [], 0
        while asked and len(group) < costs.group_records:
            if group and size + asked[0][1] > costs.group_bytes * partition.together:
                break
            group.append(asked.popleft())
            size += group[-1][1]
        self.groups += partition.together
        return group

    def group_work(self, partition, group):
        costs = self.costs
        return (partition.together * costs.log_group + sum(records for records, _, _ in group) * costs.log_record
                + sum(size for _, size, _ in group) * costs.log_byte)

    def replicate(self, partition, leader, group, work):
        """With the leader, the first of the others makes a majority."""
        done = Signal()
        for server in self.replicas(partition):
            if server != leader and self.log_alive[server]:
                self.clock.start(self.follow(partition, server, work, done))
        yield self.costs.log_sync * partition.together
        yield done
        while partition.blocked:
            yield partition.blocked
        for _, _, has_majority in group:
            self.clock.fire(has_majority)

    def follow(self, partition, server, work, done):
        yield self.costs.network
        lane = self.lane(partition, server)
        yield lane.take()
        yield self.log[server].work(work)
        yield self.costs.log_sync * partition.together
        lane.end()
        yield self.costs.network
        if self.log_alive[server]:
            self.clock.fire(done)

    def elect(self, partition):
        """The leader is lost: the first of the other replicas that waited long enough leads."""
        partition.blocked = Signal()
        while not self.log_alive[partition.leader]:
            waits = sorted(
                (self.random.uniform(self.costs.election_shortest, self.costs.election_longest), server)
                for server in self.replicas(partition) if self.log_alive[server])
            if len(waits) < 2:
                return
            yield waits[0][0]
            if sum(self.log_alive[server] for server in self.replicas(partition)) > 1:
                partition.leader = waits[0][1]
        blocked, partition.blocked = partition.blocked, None
        self.clock.fire(blocked)

    # Requests

    def request(self, node, partition):
        plan, costs, began = self.plan, self.costs, self.clock.now
        count = plan.together
        yield self.loads[node].work(count * plan.batch * costs.client_event)
        yield costs.network
        yield self.nodes[node].work(count * (plan.batch * costs.intake_event + costs.intake_record))
        yield from self.append(partition, count, count * plan.record_bytes)
        partition.waiting.append((count, count * plan.record_bytes, self.clock.now))
        partition.records += count
        self.appended += count * plan.batch
        yield costs.network
        if not self.alive[node]:
            return
        self.delays.append(self.clock.now - began)
        self.answers.append(self.clock.now)
        if self.sending:
            self.acknowledged += count * plan.batch

    def client(self, node):
        own = self.random.choice(self.partitions) if self.plan.devices else None
        while self.sending:
            if not self.alive[node]:
                node = self.random.choice([each for each, lives in enumerate(self.alive) if lives])
            yield from self.request(node, own or self.random.choice(self.partitions))
            if self.plan.pause:
                yield self.random.uniform(0, 2 * self.plan.pause)

    def arrivals(self):
        plan = self.plan
        rate = plan.rate / plan.batch / plan.together
        while self.sending:
            yield self.random.expovariate(rate)
            living = [node for node, lives in enumerate(self.alive) if lives]
            self.clock.start(self.request(self.random.choice(living), self.random.choice(self.partitions)))

    # Storing

    def taken(self, partition):
        """Takes the next block out of a partition: its records, and when each arrived."""
        costs, records, size, arrived = self.costs, 0, 0, []
        most = min(costs.block_records, costs.block_rows // self.plan.batch)
        while partition.waiting:
            more, bytes_more, at = partition.waiting[0]
            if records and (records + more > most or size + bytes_more > costs.block_bytes):
                break
            partition.waiting.popleft()
            records, size = records + more, size + bytes_more
            arrived.append((more, at))
        return records, arrived

    def own(self, partition, node):
        """The loop of an owner: look, take the turn, read, announce, insert with a quorum, confirm."""
        costs, table = self.costs, partition.number % self.plan.tables
        turns = self.turns[node][table]
        while self.alive[node]:
            if not partition.records or partition.blocked:
                yield 1 / costs.looks
                if self.clock.now - partition.changed >= costs.pulse:
                    partition.changed = self.clock.now
                continue
            yield turns.take()
            if self.alive[node]:
                records, arrived = self.taken(partition)
                rows = records * self.plan.batch
                partition.announced = arrived
                yield self.log[partition.leader].work(records * costs.log_read_record)
                yield from self.append(self.records_stream, 1, 200)
                partition.changed = self.clock.now
                yield self.nodes[node].work(rows * costs.store_event)
                yield from self.insert(node, table, rows)
            turns.end()
            if not self.alive[node]:
                return
            yield from self.append(self.records_stream, 1, 200)
            if not self.alive[node]:
                return
            partition.changed = self.clock.now
            self.confirm(partition, records, rows, arrived)

    def confirm(self, partition, records, rows, arrived):
        now = self.clock.now
        partition.announced = ()
        partition.records -= records
        self.stored += rows
        self.ages += [now - at for _, at in arrived]
        if partition.lost is not None:
            self.takeovers.append(now - partition.lost)
            partition.lost = None

    def insert(self, node, table, rows):
        """A table takes one insert with a quorum at a time; a node asks before it sends, and pauses after its own."""
        costs, replicas = self.costs, [
            store for store, lives in zip(self.stores[table], self.store_alive[table]) if lives]
        if len(replicas) < 2:
            yield Signal()
        pause = self.last_insert[node][table] + costs.courtesy - self.clock.now
        if pause > 0:
            yield pause
        first = replicas[node % len(replicas)]
        yield first.work(costs.ask_table)
        while self.inserting[table]:
            yield self.random.uniform(costs.ask_shortest, costs.ask_longest)
            yield first.work(costs.ask_table)
        if not self.alive[node]:
            return
        self.inserting[table], began = True, self.clock.now
        self.inserts += 1
        yield costs.network + rows * self.plan.record_bytes / self.plan.batch * 6 / 1.25e9
        yield first.work(costs.insert_first + rows * costs.row_first)
        keeper = table % self.plan.keepers
        while self.keeper_silence[keeper]:
            yield self.keeper_silence[keeper]
        yield self.keepers[keeper].work(costs.keeper_wait)
        done = Signal()
        for store in replicas:
            if store is not first:
                self.clock.start(self.fetch(store, rows, done))
        self.clock.start(self.later(table, replicas, rows))
        yield done
        self.inserting[table] = False
        self.table_seconds += self.clock.now - began
        self.last_insert[node][table] = self.clock.now

    def fetch(self, store, rows, done):
        yield self.costs.network
        yield store.work(self.costs.insert_other + rows * self.costs.row_other)
        self.clock.fire(done)

    def later(self, table, replicas, rows):
        """What replicas do when the insert was answered: merges, and the rest of ZooKeeper's work."""
        costs = self.costs
        self.keepers[table % self.plan.keepers].work(costs.keeper_insert - costs.keeper_wait)
        for store in replicas:
            store.work((costs.insert_later + rows * costs.row_later) / 3)
        yield 0.0

    # Owners, failures, and what always runs

    def idle(self, program, share):
        while True:
            yield 0.05
            yield program.work(0.05 * share)

    def share_partitions(self):
        for partition in self.partitions:
            partition.owner = partition.number % self.plan.nodes
            self.clock.start(self.own(partition, partition.owner))

    def kill_node(self, node):
        """SIGKILL: the node's turns end with it, and its partitions wait for others."""
        self.alive[node] = False
        for partition in self.partitions:
            if partition.owner == node:
                partition.lost = self.clock.now
                self.clock.start(self.take_over(partition))

    def heir(self):
        """The node with the fewest partitions, because nodes share them evenly."""
        owned = Counter(partition.owner for partition in self.partitions)
        return min((node for node, lives in enumerate(self.alive) if lives), key=lambda node: owned[node])

    def take_over(self, partition):
        """Others look at the record each second, and take it when it did not change for as long as their patience."""
        costs = self.costs
        age = self.clock.now - partition.changed
        seen = min(self.random.uniform(0, costs.pulse) for _ in range(min(sum(self.alive), 8)))
        yield max(0.0, costs.patience - age + seen)
        partition.owner = node = self.heir()
        # What the dead owner had announced is stored first, as if it had not been stored: replicas know the block.
        partition.waiting.extendleft((more, more * self.plan.record_bytes, at) for more, at in reversed(partition.announced))
        partition.announced = ()
        yield from self.append(self.records_stream, 1, 200)
        yield costs.prepare
        yield self.nodes[node].work(self.stored / self.plan.partitions * costs.index_event)
        self.clock.start(self.own(partition, node))

    def kill_log(self, server):
        self.log_alive[server] = False
        for partition in self.partitions + [self.records_stream]:
            if partition.leader == server:
                self.clock.start(self.elect(partition))

    def kill_keeper(self, group):
        """The leader of a group of ZooKeeper is silent: the others give it up, choose another, and go on."""
        silence = self.keeper_silence[group] = Signal()
        yield self.costs.keeper_silent + self.costs.keeper_election
        self.keeper_silence[group] = None
        self.clock.fire(silence)

    def kill_zone(self, zone):
        """A third of all machines is gone, and each ZooKeeper had its leader there."""
        for group in range(self.plan.keepers):
            self.clock.start(self.kill_keeper(group))
        for server in range(self.plan.log_servers):
            if server % self.plan.zones == zone:
                self.kill_log(server)
        for lives in self.store_alive:
            lives[zone % 3] = False
        for node in range(self.plan.nodes):
            if node % self.plan.zones == zone:
                self.kill_node(node)

    def start(self):
        plan, costs = self.plan, self.costs
        reads = plan.nodes * plan.partitions * costs.looks * costs.idle_read
        for node in self.nodes:
            self.clock.start(self.idle(node, reads / 2 / plan.nodes))
        for server in self.log:
            self.clock.start(
                self.idle(server, (reads / 2 + plan.partitions * costs.idle_stream) / plan.log_servers))
        self.share_partitions()
        if plan.rate:
            self.clock.start(self.arrivals())
        for node in range(plan.nodes):
            for _ in range(plan.connections):
                self.clock.start(self.client(node))
        return self

    @property
    def waiting(self):
        return sum(partition.records for partition in self.partitions) * self.plan.batch

    def busy(self):
        """How busy each kind of program was so far, and the tables: from 0 to 1."""
        seconds = max(self.clock.now, 1e-9)
        kinds = {"nodes": (self.nodes, self.plan.node_cores), "log servers": (self.log, self.plan.log_cores),
                 "store servers": (sum(self.stores, []), self.plan.store_cores), "zookeepers": (self.keepers, KEEPER_CORES)}
        found = {name: sum(program.spent for program in programs) / (len(programs) * cores * seconds)
                 for name, (programs, cores) in kinds.items()}
        found["tables"] = self.table_seconds / (self.plan.tables * seconds)
        return found

    def finish(self, most=120):
        """Nothing more arrives. Returns the seconds until all is stored."""
        self.sending = False
        began = self.clock.now
        self.clock.run(began + most, lambda: self.waiting == 0)
        return self.clock.now - began


def quantile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
