import Foundation
import TributaryJSON
import WorkspaceCore

/// The content of a client's folder at one moment: what the client knows, and the events that wait.
struct ClientInspection {
    /// One fact about the client, by its name.
    typealias Fact = (name: String, value: String)

    let folder: ClientFolder
    /// The events in all queues, each once and the oldest first; of each log only the newest.
    let events: [ClientEvent]
    /// Events that are there and not in `events`, because they are older or encrypted.
    let otherEvents: Int
    let facts: [Fact]
    private let report: ClientReport

    /// - Parameters:
    ///   - keeping: the most events of each log.
    ///   - now: milliseconds since 1970.
    init(_ folder: ClientFolder, keeping count: Int, now: Int64) throws(Failure) {
        let examination = try ClientExamination(folder, publicKey: nil, now: now, keeping: count)
        self.folder = folder
        report = examination.report
        let kept = examination.queues.flatMap { queue in queue.logs.flatMap(\.newest) }
        let all = examination.queues.reduce(0) { sum, queue in queue.logs.reduce(sum) { $0 + $1.count } }
        events = ClientEvent.each(kept)
        otherEvents = max(0, all - kept.count)
        facts =
            Self.facts(report.facts, user: examination.user) + examination.queues.flatMap(Self.facts)
    }

    private init(_ other: ClientInspection, events: [ClientEvent]) {
        (folder, report, facts, otherEvents) = (other.folder, other.report, other.facts, other.otherEvents)
        self.events = events
    }

    /// The same client before it had an event.
    var withoutEvents: ClientInspection { ClientInspection(self, events: []) }

    // MARK: Facts

    private static func facts(_ known: JSONObject, user: ClientUser?) -> [Fact] {
        var facts: [Fact] = [("consent", consent(known["consent"]))]
        facts.append(("user", user?.text ?? "unknown"))
        let settings = known["settings"]
        let server = settings?["server"]?.stringValue.map { ", with the server \($0)" } ?? ""
        facts.append(("settings", settings?["writtenAt"]?.stringValue.map { "of \($0)\(server)" } ?? "none"))
        facts.append(("live plugins", livePlugins(known)))
        return facts
    }

    private static func consent(_ consent: JSON?) -> String {
        guard let consent else { return "no decision is stored" }
        let categories = (consent["categories"]?.objectValue ?? [:]).map { name, isAllowed in
            "\(name) \(isAllowed == true ? "allowed" : "refused")"
        }
        let app = consent["enabled"] == false ? ["the app has switched collection off"] : []
        return ([consent["consent"]?.stringValue ?? "unknown"] + categories + app).joined(separator: ", ")
    }

    private static func livePlugins(_ known: JSONObject) -> String {
        guard let bundle = known["livePlugins"] else { return "none are stored" }
        let signed = bundle["signed"] == true ? "with a signature" : "without a signature"
        let text = "version \(bundle["version"]?.description ?? "unknown"), \(signed)"
        return known["quarantine"]?.stringValue.map { "\(text), not run on this device: \($0)" } ?? text
    }

    private static func facts(_ queue: ClientQueue) -> [Fact] {
        let name = "queue \(queue.number)"
        var counts = ClientLog.Name.allCases.compactMap { log -> String? in
            guard let log = queue.log(log), log.count > 0 else { return nil }
            let encrypted = log.isEncrypted ? ", encrypted" : ""
            return "\(log.name.shortState) \(log.count.grouped) (\(log.bytes.grouped) bytes\(encrypted))"
        }
        if counts.isEmpty { counts = ["empty"] }
        switch queue.isOpen {
        case true?: counts.append("an app that runs has it")
        case false?: counts.append("no app that runs has it")
        case nil: break
        }
        return [(name, counts.joined(separator: ", ")), ("delivery of \(name)", delivery(queue))]
    }

    private static func delivery(_ queue: ClientQueue) -> String {
        if let damage = queue.deliveryDamage { return "unknown: \(damage)" }
        guard let delivery = queue.delivery else { return "nothing is stored" }
        let server = delivery.host ?? "the server"
        guard delivery.failures > 0 else { return "to \(server), without a failure" }
        let since = delivery.failingSince.map { " since \(ISO8601.string(milliseconds: $0))" } ?? ""
        let until = delivery.pausedUntil.map { ", no attempt before \(ISO8601.string(milliseconds: $0))" } ?? ""
        let times = delivery.failures == 1 ? "attempt" : "attempts"
        return "to \(server), \(delivery.failures.grouped) \(times) without success\(since)\(until)"
    }

    // MARK: All of it

    /// The facts, the newest events and the problems, a line for each.
    /// - Parameter last: the most events that are shown.
    func text(last: Int) -> String {
        var lines = ["client \(folder.writeKey.printable) in \(folder.path.printable)"]
        lines += facts.map { "\($0.name.printable): \($0.value.printable)" }
        let shown = events.suffix(last)
        let all = events.count + otherEvents
        lines.append(
            "events: \(all.grouped)" + (shown.count < all ? ", of which \(shown.count.grouped) are shown" : ""))
        lines += shown.map { "  \($0.line)" }
        lines += report.findings.filter { $0.kind == .problem }.map { "problem: \($0.text.printable)" }
        return lines.joined(separator: "\n")
    }

    /// - Parameter last: the most events.
    func json(last: Int) -> JSON {
        var json = report.json
        json["facts"] = .object(JSONObject(members: facts.map { ($0.name, .string($0.value)) }))
        json["events"] = .array(events.suffix(last).map(\.json))
        return json
    }
}

extension ClientLog.Name {
    /// The state of the events in this log, in front of their number.
    fileprivate var shortState: String {
        switch self {
        case .pending: "for consent"
        case .inbox: "for plugins"
        case .outbox: "for the server"
        case .deadLetters: "refused"
        }
    }
}
