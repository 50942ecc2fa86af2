import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Compares the streams of a cluster with the settings that safety needs.
enum LogStreamCheck {
    /// Members that have these values in every stream, unless the stream needs another one. A member may be missing.
    private static let limits: [(name: String, value: JSON)] = [
        ("max_age", 0), ("max_msgs", -1), ("max_msg_size", -1), ("sealed", false),
    ]
    /// Members that no stream may have, and the harm that each would do.
    private static let forbidden: [(name: String, because: String)] = [
        ("mirror", "nothing can be appended"), ("sources", "the stream takes records of others"),
        ("no_ack", "nothing is acknowledged"), ("subject_transform", "records go elsewhere"),
    ]

    /// All correct streams share one finding.
    static func findings(_ streams: [LogFacts.Stream]) -> [CheckFinding] {
        guard !streams.isEmpty else { return [] }
        let missing = streams.filter { $0.found == nil && $0.failure == nil }
        guard missing.count < streams.count else {
            return [
                CheckFinding(
                    .log, names(streams), "streams", found: "not there yet; the first node makes them")
            ]
        }
        let wrong = streams.flatMap(differences)
        let lost = missing.map { stream in
            CheckFinding(
                .log, stream.name, "stream", found: "is missing, and others are there", .warning,
                advice: "a node makes it again, empty; find out who deleted it")
        }
        let fine = streams.filter { stream in stream.found != nil && !wrong.contains { $0.place == stream.name } }
        let behind = fine.filter { !$0.behind.isEmpty }.map { stream in
            CheckFinding(
                .log, stream.name, "replicas up to date", found: "not \(stream.behind.joined(separator: ", "))",
                .warning,
                advice: "start the server, or wait until it has taken in what it lacks")
        }
        return (fine.isEmpty ? [] : [summary(fine)]) + wrong + lost + behind
    }

    private static func summary(_ streams: [LogFacts.Stream]) -> CheckFinding {
        let replicas = streams.first?.found?["num_replicas"]?.description ?? "?"
        return CheckFinding(
            .log, names(streams), "settings of streams", found: "on disk, \(replicas) replicas, nothing is left out")
    }

    private static func names(_ streams: [LogFacts.Stream]) -> String {
        streams.count == 1 ? streams[0].name : "\(streams.count) streams"
    }

    private static func differences(_ stream: LogFacts.Stream) -> [CheckFinding] {
        if let failure = stream.failure {
            return [
                CheckFinding(
                    .log, stream.name, "answers", found: failure, .warning,
                    advice: "a majority of the servers has to run")
            ]
        }
        guard let found = stream.found else { return [] }
        // An operator may give a stream another size. A node reports a wrong number of partitions by itself.
        let wanted = stream.wanted.filter { !["max_bytes", "name", "subjects"].contains($0.key) }.map {
            ($0.key, $0.value)
        }
        let all =
            wanted.sorted { $0.0 < $1.0 }
            + limits.filter { stream.wanted[$0.name] == nil }.map { ($0.name, $0.value) }
        var findings = all.compactMap { name, value -> CheckFinding? in
            let isDefault = limits.contains { $0.name == name } && found[name] == nil
            guard found[name] != value, !isDefault else { return nil }
            if name == "deny_purge" { return found[name] == true ? keptWhole(stream) : nil }
            return difference(stream, name, found[name], "set it to \(value), as docs/SCALING.md says")
        }
        findings += forbidden.compactMap { name, because in
            guard let value = found[name], value != false, value != .null else { return nil }
            return difference(stream, name, value, "remove it: \(because)")
        }
        // `async` acknowledges a record before it is on a disk.
        if let mode = found["persist_mode"], mode != "", mode != "default" {
            findings.append(difference(stream, "persist_mode", mode, "set it to default"))
        }
        return findings
    }

    /// A stream of settings from a version before snapshots. NATS does not allow this setting to change.
    private static func keptWhole(_ stream: LogFacts.Stream) -> CheckFinding {
        CheckFinding(
            .log, stream.name, "deny_purge", found: "true", .warning,
            advice: """
                nothing is lost: the log of settings is kept whole, so a new node applies every change since the first; only a \
                stream that this version makes can be trimmed
                """)
    }

    private static func difference(
        _ stream: LogFacts.Stream, _ name: String, _ found: JSON?, _ advice: String
    ) -> CheckFinding {
        CheckFinding(
            .log, stream.name, name, found: found?.stringValue ?? found?.description ?? "nothing", .wrong,
            advice: advice)
    }
}
