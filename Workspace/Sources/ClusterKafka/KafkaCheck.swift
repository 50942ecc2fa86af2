import WorkspaceServer

/// Says of what was seen of a topic whether acknowledged records are safe in it.
enum KafkaCheck {
    private static let fewestReplicas = 3
    private static let fewestInSync = 2

    /// Brokers delete removed records with the file that has them, and files that are not written any more only.
    private static let segmentAge = "segment.ms"
    private static let mostSegmentAge: Int64 = 86_400_000

    /// Settings with one safe value, and what another one does.
    private static let fixed: [(name: String, value: String, otherwise: String)] = [
        (
            "unclean.leader.election.enable", "false",
            "a broker that lacks acknowledged records may become the leader, and they are lost"
        ),
        ("cleanup.policy", "delete", "compaction removes records, and stored ones cannot be removed"),
        ("retention.ms", "-1", "records are deleted by their age, also those that are not stored yet"),
        ("retention.bytes", "-1", "records are deleted by their size, also those that are not stored yet"),
    ]

    /// What a topic that a node makes has.
    static var settings: [(name: String, value: String)] {
        fixed.map { ($0.name, $0.value) } + [
            ("min.insync.replicas", "\(fewestInSync)"), ("max.message.bytes", "\(KafkaTopic.mostBytes)"),
            (segmentAge, "3600000"),
        ]
    }

    static func findings(_ facts: KafkaFacts) -> [CheckFinding] {
        if let failure = facts.failure {
            return [
                CheckFinding(
                    .kafka, facts.topic, "answers", found: failure, .wrong,
                    advice: "the settings have to be read: start the brokers, and let the node describe topics")
            ]
        }
        guard let partitions = facts.partitions else {
            return [CheckFinding(.kafka, facts.topic, "topic", found: "not there yet; the first node makes it")]
        }
        return count(facts, partitions) + replicas(facts, partitions) + inSync(facts, partitions)
            + fixed.map { setting in
                finding(facts, setting.name, "set it to \(setting.value): \(setting.otherwise)") { $0 == setting.value }
            }
            + [
                finding(facts, "max.message.bytes", "set it to \(KafkaTopic.mostBytes): a request needs as much") {
                    Int($0).map { $0 >= KafkaTopic.mostBytes } ?? false
                },
                finding(
                    facts, segmentAge, "set it to 3600000: the requests of erased users stay in files for that long",
                    otherwise: .warning
                ) { Int64($0).map { $0 <= mostSegmentAge } ?? false },
                syncing(facts), identity(facts),
            ]
    }

    // MARK: Partitions

    private static func count(_ facts: KafkaFacts, _ partitions: [KafkaFacts.Partition]) -> [CheckFinding] {
        [
            CheckFinding(
                .kafka, facts.topic, "partitions", found: "\(partitions.count)",
                isFine: partitions.count == facts.wanted,
                advice:
                    "start all nodes with --partitions \(partitions.count), or make another topic: the number decides where a "
                    + "device's events are, and never changes")
        ]
    }

    private static func replicas(_ facts: KafkaFacts, _ partitions: [KafkaFacts.Partition]) -> [CheckFinding] {
        let fewest = partitions.map(\.replicas).min() ?? 0
        let behind = partitions.filter { $0.inSync < $0.replicas }
        let replicas = CheckFinding(
            .kafka, facts.topic, "replication factor", found: "\(fewest)", isFine: fewest >= fewestReplicas,
            advice: "give each partition \(fewestReplicas) replicas or more")
        guard !behind.isEmpty else { return [replicas] }
        return [
            replicas,
            CheckFinding(
                .kafka, facts.topic, "replicas in sync",
                found: "not all of partition \(behind.map { "\($0.number)" }.joined(separator: ", "))", .warning,
                advice: "start the broker, or wait until it has taken in what it lacks"),
        ]
    }

    private static func inSync(_ facts: KafkaFacts, _ partitions: [KafkaFacts.Partition]) -> [CheckFinding] {
        let name = "min.insync.replicas"
        let safe = finding(
            facts, name,
            "set it to \(fewestInSync): with acks=all, a record is acknowledged by as few brokers as this setting says"
        ) { Int($0).map { $0 >= fewestInSync } ?? false }
        guard safe.verdict == .fine, let number = facts.settings[name].flatMap({ Int($0) }),
            let fewest = partitions.map(\.replicas).min(), number >= fewest
        else { return [safe] }
        return [
            CheckFinding(
                .kafka, facts.topic, name, found: "\(number) of \(fewest) replicas", .warning,
                advice: "nothing can be appended while one broker is away; set it to \(fewestInSync)")
        ]
    }

    // MARK: Settings

    private static func finding(
        _ facts: KafkaFacts, _ name: String, _ advice: String, otherwise verdict: CheckFinding.Verdict = .wrong,
        isSafe: (String) -> Bool
    ) -> CheckFinding {
        let value = facts.settings[name]
        return CheckFinding(
            .kafka, facts.topic, name, found: value ?? "nobody says", isFine: value.map(isSafe) ?? false,
            otherwise: verdict, advice: advice)
    }

    /// Kafka relies on replicas and writes to the disk later, unless it is told otherwise.
    private static func syncing(_ facts: KafkaFacts) -> CheckFinding {
        let name = "flush.messages"
        let value = facts.settings[name] ?? "nobody says"
        return CheckFinding(
            .kafka, facts.topic, name, found: value, isFine: value == "1", otherwise: .warning,
            advice:
                "brokers acknowledge records before these are on a disk, so a power cut of all replicas in sync loses them; 1 "
                + "syncs each record first")
    }

    private static func identity(_ facts: KafkaFacts) -> CheckFinding {
        CheckFinding(
            .kafka, facts.topic, "topic id", found: facts.knowsIds ? "is compared" : "is not compared",
            isFine: facts.knowsIds, otherwise: .unseen,
            advice:
                "a topic that was deleted and made again is noticed while it is shorter than the old one; build with "
                + "librdkafka 2.3 or later")
    }
}
