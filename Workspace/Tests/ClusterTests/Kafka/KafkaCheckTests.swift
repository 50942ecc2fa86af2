import Testing

@testable import ClusterKafka
@testable import WorkspaceServer

@Suite("The check of a topic") struct KafkaCheckTests {
    /// A topic that is as it has to be.
    private var facts: KafkaFacts {
        let settings = Dictionary(uniqueKeysWithValues: KafkaCheck.settings.map { ($0.name, $0.value) })
        return KafkaFacts(
            topic: "events", wanted: 2,
            partitions: (0..<2).map { KafkaFacts.Partition(number: $0, replicas: 3, inSync: 3) },
            settings: settings.merging(["flush.messages": "1"]) { $1 }, knowsIds: true)
    }

    @Test("A topic as nodes make it is fine") func fine() {
        #expect(KafkaCheck.findings(facts).allSatisfy { $0.verdict == .fine })
    }

    @Test(
        "A setting that loses acknowledged records is refused by its name",
        arguments: [
            ("min.insync.replicas", "1"), ("unclean.leader.election.enable", "true"), ("cleanup.policy", "compact"),
            ("cleanup.policy", "compact,delete"), ("retention.ms", "604800000"), ("retention.bytes", "1073741824"),
            ("max.message.bytes", "1048588"),
        ])
    func unsafe(_ name: String, _ value: String) {
        var facts = facts
        facts.settings[name] = value
        let wrong = KafkaCheck.findings(facts).filter { $0.verdict == .wrong }
        #expect(wrong.map(\.setting) == [name])
        #expect(wrong.map(\.found) == [value])
    }

    @Test(
        "A setting that nobody says is not safe",
        arguments: KafkaCheck.settings.map(\.name).filter { $0 != "segment.ms" })
    func unseen(_ name: String) {
        var facts = facts
        facts.settings[name] = nil
        #expect(wrong(facts) == [name])
    }

    @Test("A topic with fewer replicas than three is refused") func replicas() {
        var facts = facts
        facts.partitions?[1] = KafkaFacts.Partition(number: 1, replicas: 2, inSync: 2)
        #expect(wrong(facts) == ["replication factor"])
    }

    @Test("A topic with another number of partitions is refused", arguments: [1, 3])
    func partitions(_ count: Int) {
        var facts = facts
        facts.partitions = (0..<count).map { KafkaFacts.Partition(number: $0, replicas: 3, inSync: 3) }
        #expect(wrong(facts) == ["partitions"])
    }

    @Test("A replica that is behind is noted") func behind() {
        var facts = facts
        facts.partitions?[1] = KafkaFacts.Partition(number: 1, replicas: 3, inSync: 2)
        #expect(noted(facts, .warning) == ["replicas in sync"])
    }

    @Test("It is noted that one broker is enough to stop appends") func allInSync() {
        var facts = facts
        facts.settings["min.insync.replicas"] = "3"
        #expect(noted(facts, .warning) == ["min.insync.replicas"])
    }

    @Test("It is noted that brokers acknowledge before they sync") func syncing() {
        var facts = facts
        facts.settings["flush.messages"] = "9223372036854775807"
        #expect(noted(facts, .warning) == ["flush.messages"])
    }

    @Test("It is noted that erased requests stay in files", arguments: ["604800000", nil])
    func segments(_ age: String?) {
        var facts = facts
        facts.settings["segment.ms"] = age
        #expect(noted(facts, .warning) == ["segment.ms"])
    }

    @Test("It is said when a topic that was made again may stay unnoticed") func identity() {
        var facts = facts
        facts.knowsIds = false
        #expect(noted(facts, .unseen) == ["topic id"])
    }

    @Test("A topic that cannot be seen is refused, and one that is missing is made") func noTopic() {
        var facts = facts
        (facts.partitions, facts.settings) = (nil, [:])
        #expect(KafkaCheck.findings(facts).allSatisfy { $0.verdict == .fine })
        facts.failure = "no answer"
        #expect(wrong(facts) == ["answers"])
    }

    private func wrong(_ facts: KafkaFacts) -> [String] { noted(facts, .wrong) }

    private func noted(_ facts: KafkaFacts, _ verdict: CheckFinding.Verdict) -> [String] {
        KafkaCheck.findings(facts).filter { $0.verdict == verdict }.map(\.setting)
    }
}
