import ClusterTestKit
import Foundation
import GRDB
import HTTPTypes
import Synchronization
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Three nodes change settings at once, over a log that fails") struct SettingsSimulationTests {
    /// What the author of a change was told.
    enum Answer: Sendable { case done, refused, unknown }

    @Test(
        "All nodes end with the same settings, and each change was made as its author's answer said", arguments: 1...6)
    func simulation(_ seed: UInt64) async throws {
        let faults = Faults(seed: seed)
        let log = MemoryChangeLog { faults.next() }
        let options = Self.options
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let nodes = try folders.map { [options] in try SettingsNode($0, log, options: options) }
        let following = nodes.map { node in Task { await node.settings.follow() } }
        let answers = try await change(nodes, seed: seed, steps: 25)
        faults.end()
        await Self.stop(following)
        try check(answers, try await agreed(nodes + [SettingsNode(TemporaryFolder(), log)]))
    }

    @Test(
        "Nodes are replaced by a newer version with another key one by one, and nothing is lost on the way",
        arguments: 1...3)
    func upgrade(_ seed: UInt64) async throws {
        let faults = Faults(seed: seed)
        let log = MemoryChangeLog { faults.next() }
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        var nodes = try folders.map { try SettingsNode($0, log, options: Self.options) }
        var answers: [String: Answer] = [:]
        for round in 0...3 {
            let following = nodes.map { node in Task { await node.settings.follow() } }
            answers.merge(try await change(nodes, seed: seed &* 10 + UInt64(round), steps: 12, round: round)) { $1 }
            await Self.stop(following)
            guard round < 3 else { break }
            try nodes[round].close()
            nodes[round] = try SettingsNode(
                folders[round], log, secret: Self.nextSecret, old: [SettingsNode.secret], schema: TwoVersionsTests.next,
                options: Self.options)
            let marks = nodes.map(\.settings.seal.marks)
            for node in nodes { for _ in 0..<KeyChoice.enough { node.settings.note(readers: marks) } }
        }
        faults.end()
        let last = try SettingsNode(
            TemporaryFolder(), log, secret: Self.nextSecret, old: [SettingsNode.secret], schema: TwoVersionsTests.next)
        try check(answers, try await agreed(nodes + [last]), atLeast: 20)
        #expect(nodes[0].settings.usesNewKey)
    }

    /// A node is away for a round, and the log is trimmed meanwhile. The others coordinate both at once.
    @Test("Nodes that are away for a while take snapshots over, and nothing is lost on the way", arguments: 1...4)
    func snapshots(_ seed: UInt64) async throws {
        let faults = Faults(seed: seed)
        let log = MemoryChangeLog { faults.next() }
        var options = Self.options
        options.recordsForSnapshot = 12
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        func node(_ folder: TemporaryFolder) throws -> SettingsNode {
            let node = try SettingsNode(folder, log, options: options)
            node.settings.coordinate { true }
            return node
        }
        var nodes = try folders.map(node)
        var answers: [String: Answer] = [:]
        var takenOver = 0
        for round in 0..<6 {
            let away = round % 3
            let place = nodes[away].settings.place
            try nodes[away].close()
            let others = nodes.enumerated().filter { $0.offset != away }.map(\.element)
            let following = others.map { node in Task { await node.settings.follow() } }
            answers.merge(try await change(others, seed: seed &* 10 + UInt64(round), steps: 10, round: round)) { $1 }
            await Self.stop(following)
            nodes[away] = try node(folders[away])
            if place > 0, await log.first > place + 1 { takenOver += 1 }
        }
        faults.end()
        try check(answers, try await agreed(nodes + [SettingsNode(TemporaryFolder(), log)]))
        #expect(takenOver > 0)
        #expect(await log.first > 1)
    }

    private static let nextSecret = "the next secret of the operator"

    private static var options: SharedSettings.Options {
        var options = SharedSettings.Options.testing
        options.partBytes = 1_500
        return options
    }

    private static func stop(_ following: [Task<Void, Never>]) async {
        for task in following {
            task.cancel()
            await task.value
        }
    }

    /// The rows that all nodes have at the end, of which the last one joins then.
    private func agreed(_ nodes: [SettingsNode]) async throws -> [String: [Row]] {
        for node in nodes { await node.look() }
        let rows = try await nodes[0].rows()
        for node in nodes {
            #expect(node.settings.state == .following)
            let found = try await node.rows()
            for table in SettingsTables.shared { #expect(found[table] == rows[table], "\(table)") }
        }
        return rows
    }

    /// - Returns: by marks that stand in entries of the audit log.
    private func change(
        _ nodes: [SettingsNode], seed: UInt64, steps: Int, round: Int = 0
    ) async throws -> [String: Answer] {
        try await withThrowingTaskGroup(of: [String: Answer].self) { group in
            for (index, node) in nodes.enumerated() {
                for author in 0..<2 {
                    group.addTask {
                        var chance = SeededNumbers(seed: seed &* 100 + UInt64(index * 10 + author))
                        var answers: [String: Answer] = [:]
                        for step in 0..<steps {
                            let mark = "mark-\(round)-\(index)-\(author)-\(step)-end"
                            answers[mark] = try await answer {
                                try await SettingsSteps(node: node, mark: mark).random(&chance)
                            }
                        }
                        return answers
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
    }

    private func answer(_ work: () async throws -> Void) async throws -> Answer {
        do {
            try await work()
            return .done
        } catch let error as Refusal {
            guard error.reason == .unavailable else { return .refused }
            if error.message.contains("nothing was changed") { return .refused }
            #expect(error.message.contains("may have been changed"))
            return .unknown
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // The source was removed meanwhile.
            return .refused
        }
    }

    /// What an entry of the audit log says of the change that has the mark. Sources and tokens have marks as their names, too.
    private static func text(_ entry: Row) -> String {
        let details = String(decoding: entry["details"] as Data, as: UTF8.self)
        switch AuditEntry.Action(rawValue: entry["action"]) {
        case .sourceMade, .eventsDeleted: return details + (entry["writeKey"] as String? ?? "")
        case .deadLettersRetried, .tokenRevoked: return ""
        default: return details
        }
    }

    private func check(_ answers: [String: Answer], _ rows: [String: [Row]], atLeast fewest: Int = 40) throws {
        let entries = (rows["audit"] ?? []).map(Self.text)
        var counts: [Answer: Int] = [:]
        for (mark, answer) in answers {
            let count = entries.count { $0.contains(mark) }
            switch answer {
            case .done: #expect(count == 1, "\(mark) was made")
            case .refused: #expect(count == 0, "\(mark) was refused")
            case .unknown: #expect(count <= 1, "\(mark) may have been made")
            }
            counts[answer, default: 0] += 1
        }
        // Otherwise the run says little.
        #expect(counts[.done, default: 0] > fewest)
        #expect(Set((rows["audit"] ?? []).map { $0["action"] as String }).count > 8)
        let sequences = (rows["audit"] ?? []).map { $0["sequence"] as Int64 }
        #expect(sequences == Array(1...Int64(sequences.count)))
    }
}

/// What the log does wrong, by chance.
private final class Faults: Sendable {
    private let chance: Mutex<SeededNumbers?>

    init(seed: UInt64) { chance = Mutex(SeededNumbers(seed: seed)) }

    func next() -> MemoryChangeLog.Fault? {
        chance.withLock { chance in
            guard var numbers = chance else { return nil }
            defer { chance = numbers }
            return switch Int.random(in: 0..<100, using: &numbers) {
            case 0..<3: .unavailable
            case 3..<6: .lostAnswer
            case 6..<8: .late
            case 8..<30: .delay
            default: nil
            }
        }
    }

    /// From now on the log does all that it should.
    func end() { chance.withLock { $0 = nil } }
}

/// Changes by chance, each with a mark in its entry of the audit log.
struct SettingsSteps: Sendable {
    let node: SettingsNode
    let mark: String

    private var store: Store { node.store }
    private var sources: SourceRegistry { node.sources }

    func random(_ chance: inout SeededNumbers) async throws {
        let all = await sources.all()
        let number = Int.random(in: 0..<16, using: &chance)
        guard let source = all.randomElement(using: &chance), number > 1 else {
            _ = try await sources.make(mark, name: nil)
            return
        }
        try await unmarked(source, &chance)
        switch number {
        case 2, 3: try await rename(source)
        case 4, 5: _ = try await sources.addKey(mark, name: "k", to: source.writeKey)
        case 6, 7: try await deploy(to: source)
        case 8:
            let plan = try RolloutPlan(stages: [5, 100], hold: 0)
            _ = try await sources.deployFilters([], plan: plan, to: source.writeKey)
            try await rename(source)
        case 9, 10:
            let token = NamedToken(name: mark, role: .deploy, digest: Data(mark.utf8), createdAt: 1)
            try await store.addToken(token)
        case 11: try await destination(of: source)
        case 12:
            _ = try await sources.changePolicy(["quota": ["eventsPerDay": 9]], of: source.writeKey)
            try await rename(source)
        case 13:
            try await store.change { db in
                try Store.addNotice("N", now: 1, db)
                try Store.log(db, AuditEntry(action: .eventsDeleted, writeKey: mark), by: .server, now: 1)
            }
        default: try await remove(source)
        }
    }

    /// Changes that have no mark; what they throw does not matter.
    private func unmarked(_ source: Source, _ chance: inout SeededNumbers) async throws {
        do {
            switch Int.random(in: 0..<8, using: &chance) {
            case 0: try await store.replaceAdminToken(by: Data(mark.utf8), now: 1)
            case 1: try await store.setLogin(Data(mark.utf8), (usedAt: 1, token: nil))
            case 2:
                guard let token = try store.namedTokens().randomElement(using: &chance) else { return }
                try await store.setLogin(Data(mark.utf8), (usedAt: 1, token: token.name))
            case 3:
                guard var token = try store.namedTokens().randomElement(using: &chance) else { return }
                token.usedAt = Int64.random(in: 1...9, using: &chance)
                try await store.setUse(of: token)
            case 4:
                guard let token = try store.namedTokens().randomElement(using: &chance) else { return }
                try await store.removeToken(named: token.name, now: 1)
            case 5:
                guard let notice = try await store.oldestNotice() else { return }
                try await store.removeNotice(notice.sequence)
            default: break
            }
        } catch is Refusal {}
    }

    private func rename(_ source: Source) async throws {
        _ = try await sources.change(source.writeKey) { db, source in
            try db.execute(sql: "UPDATE source SET name = ? WHERE id = ?", arguments: [mark, source.id])
            return AuditEntry(action: .sourceRenamed, details: ["name": .string(mark)])
        }
    }

    /// It may be larger than a record of the log.
    private func deploy(to source: Source) async throws {
        let text = Data(String(repeating: mark, count: 150).utf8)
        _ = try await sources.deploy(text, sha256: mark, signature: nil, percentage: 100, to: source.writeKey)
    }

    private func destination(of source: Source) async throws {
        let made = try await store.putDestination(mark, of: source, .webhook, secret: Array(mark.utf8), now: 1)
        var changes = ForwardingChanges(position: 7)
        changes.kept = [
            9: Undelivered(
                sequence: 9, messageId: "m", partition: .init(digest: Data([1])), deadAt: 1)
        ]
        do {
            try await store.save(changes, of: made.destination.id)
            _ = try await store.retryDeadLetters(of: made.destination, nil, writeKey: source.writeKey, now: 1)
        } catch is Refusal {}
    }

    /// Its entry in the audit log has the mark as a name of the source that is made at the end.
    private func remove(_ source: Source) async throws {
        do {
            _ = try await store.removeSource(source, events: 0, by: .server, now: 1)
        } catch is Refusal {}
        _ = try await sources.make(mark, name: nil)
    }
}
