import Crypto
import TributaryJSON
import WorkspaceCore

/// Plays the newest stored sessions of a source under the version of today and a new one, before the new one is deployed.
struct GoldenGate: Sendable {
    let sources: SourceRegistry
    let store: Store
    let trials: PluginTrials

    /// The review of a text against the version that most devices run.
    /// - Throws: `Refusal` when the sessions cannot be played.
    func review(_ text: String, of writeKey: String, sessions: Int = Limits.goldenSessions) async throws -> JSON {
        let source = try await sources.known(writeKey)
        let golden = try await golden(of: source, sessions: sessions, replacing: nil)
        let base = try await textOfToday(of: source)
        var answer = try await trials.run(PluginTrialRequest(source: text, sample: .review(golden: golden, base: base)))
        answer["version"] = .number(source.bundleForAll?.version)
        return answer
    }

    /// The newest sessions with the results of the version of today, as a file. Personal data is replaced.
    func file(of writeKey: String, sessions: Int) async throws -> String {
        let source = try await sources.known(writeKey)
        let replacement = PersonalDataReplacement(
            marked: Set(source.policy.personal.names), key: SymmetricKey(size: .bits256))
        let golden = try await golden(of: source, sessions: sessions, replacing: replacement)
        let base = try await textOfToday(of: source)
        let answer = try await trials.run(PluginTrialRequest(source: base, sample: .golden(golden)))
        guard let file = answer["golden"]?.stringValue else {
            let reason = answer["fault"]?.stringValue ?? "the process that plays sessions answered no file"
            throw Refusal(.unavailable, "the sessions cannot be played: \(reason)")
        }
        return file
    }

    /// The text of the version that most devices run; empty when there is none.
    private func textOfToday(of source: Source) async throws -> String {
        guard let version = source.bundleForAll?.version,
            let stored = try await store.bundleText(source: source.id, version: version)
        else { return "" }
        return String(decoding: stored.text, as: UTF8.self)
    }

    /// The newest sessions as a file without results.
    private func golden(
        of source: Source, sessions: Int, replacing replacement: PersonalDataReplacement?
    ) async throws -> String {
        let records = try await events(of: source.writeKey) + signals(of: source.writeKey)
        let stored = StoredSessions(records, most: sessions, mostRecords: Limits.trialMostEvents)
        let plan = source.plan.events.map { event -> JSON in
            var json: JSON = ["type": .string(event.name.type.rawValue)]
            json["name"] = event.name.text.map(JSON.string)
            return json
        }
        var head: JSON = ["tributaryGolden": 1, "plan": .array(plan)]
        head["version"] = source.bundleForAll.map { .number($0.version) }
        var lines = [head.description]
        for (place, session) in stored.sessions.enumerated() {
            for record in session {
                let content = replacement?.replaced(record.content, isSignal: record.kind == .signal) ?? record.content
                let line: JSON = ["session": .string("\(place + 1)"), record.kind.rawValue: content]
                lines.append(line.description)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func events(of writeKey: String) async throws -> [StoredSessions.Record] {
        var records: [StoredSessions.Record] = []
        var bytes = 0
        try await store.forEachEvents(writeKey: writeKey, newest: Limits.trialMostEvents) { rows in
            for row in rows {
                bytes += row.body.count
                guard bytes <= Limits.goldenBytes else { return false }
                records.append(
                    StoredSessions.Record(
                        .event, sequence: row.sequence, received: row.times?.happened ?? 0,
                        content: try JSON.parse(row.body)))
            }
            return true
        }
        return records
    }

    private func signals(of writeKey: String) async throws -> [StoredSessions.Record] {
        let source = EventQuery.Match(column: .writeKey, value: writeKey)
        let page = try await store.page(.signals, EventQuery(limit: Limits.goldenSignals, matches: [source]))
        var records: [StoredSessions.Record] = []
        var bytes = 0
        for row in page.rows {
            bytes += row.count
            guard bytes <= Limits.goldenBytes else { break }
            let json = try JSON.parse(row)
            guard let signal = json["signal"], signal["type"]?.stringValue != nil else { continue }
            let received = json["receivedAt"]?.stringValue.flatMap { ISO8601.milliseconds($0) } ?? 0
            records.append(
                StoredSessions.Record(
                    .signal, sequence: json["sequence"]?.intValue.map(Int64.init) ?? 0, received: received,
                    content: signal))
        }
        return records
    }
}
