import Foundation
import Logging
import WorkspaceCore

/// Looks at the state that each alert rule is about.
///
/// A look reads counters and indexes: it reads at most one event, and only among the events since the last look.
struct AlertLooks: Sendable {
    let store: Store
    let sources: SourceRegistry
    let states: ForwardingStates
    let readings: AlertReadings
    let now: @Sendable () -> Int64
    let logger: Logger

    /// When an event was seen last.
    private struct Seen {
        let kind: AlertKind
        /// The last event that was looked at.
        var sequence: Int64
        var at: Int64
        /// Whether it is the time of an event, and not that of the first look.
        var isEvent = false
    }

    private struct Counted {
        let kind: AlertKind
        var window = CountWindow()
    }

    private var seen: [String: Seen] = [:]
    private var counted: [String: Counted] = [:]

    init(
        store: Store, sources: SourceRegistry, states: ForwardingStates, readings: AlertReadings,
        now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        (self.store, self.sources, self.states) = (store, sources, states)
        (self.readings, self.now, self.logger) = (readings, now, logger)
    }

    /// Looks once at each rule. A rule that cannot be looked at does not keep the others from it.
    mutating func look() async {
        do {
            let alerts = try await store.alerts()
            let names = Set(alerts.map(\.rule.name))
            seen = seen.filter { names.contains($0.key) }
            counted = counted.filter { names.contains($0.key) }
            var all: [String: AlertReadings.Look] = [:]
            for alert in alerts { all[alert.rule.name] = try await look(alert) }
            readings.put(all)
        } catch is CancellationError {
            // The server stops.
        } catch {
            logger.error("the alert rules cannot be looked at", metadata: ["error": "\(error)"])
        }
    }

    private mutating func look(_ alert: Store.StoredAlert) async throws -> AlertReadings.Look {
        let now = now()
        let reading: AlertReading
        do {
            reading = try await self.reading(of: alert.rule, now)
        } catch is CancellationError {
            throw CancellationError()
        } catch let error as Refusal {
            // The source was removed. An alert about it ends.
            reading = .good(error.message)
        } catch {
            logger.error(
                "an alert rule cannot be looked at",
                metadata: ["rule": "\(alert.rule.name)", "error": "\(error)"])
            reading = .unknown("it cannot be looked at: \(ErrorReason.text(error))")
        }
        var after = alert.state
        _ = after.look(reading, of: alert.rule.name, at: now)
        // A look that finds nothing new writes nothing.
        if after != alert.state { try await store.look(reading, at: alert.rule, now: now) }
        return AlertReadings.Look(reading: reading, at: now)
    }

    private mutating func reading(of rule: AlertRule, _ now: Int64) async throws -> AlertReading {
        switch rule.kind {
        case .silence(let writeKey, let event, let minutes):
            let source = try await sources.known(writeKey)
            let seen = try await seen(event, of: source, rule, now)
            return .silence(of: event, minutes: minutes, seen: seen.at, isEvent: seen.isEvent, now: now)
        case .rejected(let writeKey, let percent, let minutes, let atLeast):
            let counts = try await store.outcomes(of: await sources.known(writeKey).id)
            var mine = counted[rule.name].flatMap { $0.kind == rule.kind ? $0 : nil } ?? Counted(kind: rule.kind)
            mine.window.add(counts, minutes: minutes, at: now)
            counted[rule.name] = mine
            return .rejected(mine.window.growth, percent: percent, minutes: minutes, atLeast: atLeast)
        case .lag(let writeKey, let name, let minutes):
            let destination = try await destination(name, of: writeKey)
            guard destination.isEnabled else { return .good("\(PlainName.shown(name)) is off") }
            let backlog = try await DestinationBacklog(store: store, states: states).of(destination)
            return .lag(of: name, minutes: minutes, oldest: backlog.oldest, now: now)
        case .deadLetters(let writeKey, let name, let atLeast):
            let figures = try await store.figures(of: destination(name, of: writeKey).id)
            return .deadLetters(of: name, count: figures.deadLetters, atLeast: atLeast)
        case .plan(let writeKey, let event, let minutes, let atLeast):
            let name = event.map { CountedName(.track, name: $0) }
            let count = try await store.planCount(of: await sources.known(writeKey).id, name)
            var mine = counted[rule.name].flatMap { $0.kind == rule.kind ? $0 : nil } ?? Counted(kind: rule.kind)
            mine.window.add(.init(bad: count, all: count), minutes: minutes, at: now)
            counted[rule.name] = mine
            return .plan(of: event, minutes: minutes, atLeast: atLeast, count: mine.window.growth?.bad)
        case .loss(let writeKey, let percent, let minutes, let atLeast):
            let source = try await sources.known(writeKey)
            let since = now - minutes * 60_000
            // Reports are added up by hours.
            let sums = try await store.accounts(of: source.id, hours: since / 3_600_000..<now / 3_600_000 + 1)
            let devices = try await store.accountDevices(of: source.id, since: since)
            return .loss(
                LossLedger(sums, devices: devices, stored: nil), percent: percent, minutes: minutes, atLeast: atLeast)
        case .disk(let percent):
            let disk = Self.disk(store.folder.path)
            return .disk(percent: percent, free: disk.free, size: disk.size)
        }
    }

    /// Looks for an event among the events since the last look.
    private mutating func seen(
        _ event: String, of source: Source, _ rule: AlertRule, _ now: Int64
    ) async throws -> Seen {
        let last = try await store.lastSequence()
        // A rule that changed and a clock that jumped back begin anew.
        guard var mine = seen[rule.name], mine.kind == rule.kind, mine.at <= now else {
            let first = Seen(kind: rule.kind, sequence: last, at: now)
            seen[rule.name] = first
            return first
        }
        if last > mine.sequence {
            var query = RowQuery(.bodies)
            (query.after, query.source, query.limit) = (mine.sequence, source.id, 1)
            query.matches = [EventQuery.Match(column: .name, value: event)]
            query.writeKeys = [source.id: source.writeKey]
            if try await !store.storage.rows(query).isEmpty { (mine.at, mine.isEvent) = (now, true) }
            mine.sequence = last
            seen[rule.name] = mine
        }
        return mine
    }

    private func destination(_ name: String, of writeKey: String) async throws -> Destination {
        let source = try await sources.known(writeKey)
        guard let destination = try await store.destination(name, of: source.id) else {
            throw DestinationAccess.unknown(name)
        }
        return destination
    }

    /// Zero for a figure that the system does not give.
    private static func disk(_ folder: String) -> (free: Int64, size: Int64) {
        let disk = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        func figure(_ key: FileAttributeKey) -> Int64 { (disk?[key] as? NSNumber)?.int64Value ?? 0 }
        return (figure(.systemFreeSize), figure(.systemSize))
    }
}
