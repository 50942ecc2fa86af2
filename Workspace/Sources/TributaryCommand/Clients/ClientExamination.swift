import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// Looks through the folder of a client.
struct ClientExamination {
    /// Milliseconds after which a running client has processed an event, unless something holds it up.
    private static let patience: Int64 = 60_000

    private(set) var report: ClientReport
    private(set) var queues: [ClientQueue] = []
    /// The user, as the queues or the first file of the client know them; nil when that is encrypted or unknown.
    private(set) var user: ClientUser?
    private let folder: ClientFolder
    private let now: Int64

    /// - Parameters:
    ///   - publicKey: the key with which the app checks its live plugins, if it is known.
    ///   - keeping: the most events of each log to keep.
    init(
        _ folder: ClientFolder, publicKey: Curve25519.Signing.PublicKey?, now: Int64, keeping: Int = 0
    ) throws(Failure) {
        self.folder = folder
        self.now = now
        report = ClientReport(folder)
        let names = try folder.names()
        let consent = examineConsent()
        examineSettings()
        examineBundle(publicKey)
        examineOtherFiles(names)
        queues = try Self.queues(names, folder, keeping)
        user = Self.user(queues, folder)
        report.facts["queues"] = .array(queues.map(\.json))
        if queues.isEmpty { report.add(.note, "there is no event queue") }
        for queue in queues { examine(queue, consent) }
    }

    private static func user(_ queues: [ClientQueue], _ folder: ClientFolder) -> ClientUser? {
        let newest = queues.flatMap(\.logs).compactMap(\.user).max { $0.changedAt < $1.changedAt }
        if let newest { return newest }
        // The file may be encrypted, and is not needed for delivery: then the user is unknown.
        return (try? ClientFile.read(folder.path + "/first-identity")).flatMap { $0 }.flatMap(ClientUser.init)
    }

    private static func queues(
        _ names: [String], _ folder: ClientFolder, _ keeping: Int
    ) throws(Failure) -> [ClientQueue] {
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tributary-doctor-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        return try names.compactMap(ClientQueue.number).sorted().map { number throws(Failure) in
            try ClientQueue(number, in: folder.path, scratch: scratch, keeping: keeping)
        }
    }

    /// The object in a small file; nil when there is none, or when it is damaged, which is a problem.
    private mutating func object(_ name: String) -> JSONObject? {
        do throws(ClientFile.Damage) {
            return try ClientFile.object("\(folder.path)/\(name)")
        } catch {
            report.add(.problem, "\(name) is damaged: \(error.reason)")
            return nil
        }
    }

    // MARK: Small files

    /// - Returns: the decision of the user; nil when none is stored.
    private mutating func examineConsent() -> String? {
        guard let file = object("consent.json") else { return nil }
        report.facts["consent"] = .object(file)
        let decision = file["consent"]?.stringValue
        switch decision {
        case "granted": break
        case "denied": report.add(.problem, "the user has refused consent, so nothing is collected")
        case "pending": report.add(.note, "the app waits for the user's decision on consent")
        default: report.add(.problem, "consent.json has no decision that this version knows")
        }
        if file["enabled"] == false { report.add(.problem, "the app has switched collection off (Analytics.enabled)") }
        let refused = (file["categories"]?.objectValue ?? [:]).filter { $0.value == false }.map(\.key)
        if !refused.isEmpty {
            report.add(
                .note,
                "the user refused \(refused.joined(separator: ", ")): destinations that need it get no events")
        }
        return decision
    }

    private mutating func examineSettings() {
        let path = folder.path + "/settings.json"
        guard let file = object("settings.json") else {
            if !FileManager.default.fileExists(atPath: path) {
                report.add(.note, "no settings were fetched yet; the app goes on with its defaults")
            }
            return
        }
        let written = ClientFile.written(path)
        let server = file["integrations"]?["Segment.io"]
        report.facts["settings"] = [
            "writtenAt": .time(written), "server": server?["apiHost"] ?? .null,
        ]
        if file["collection"]?["enabled"] == false {
            report.add(.problem, "the settings of the workspace switch collection off")
        }
        let age = written.map { ", written \(ClientTime.text($0, now: now))" } ?? ""
        report.add(.fine, "settings are there\(age)")
    }

    private mutating func examineBundle(_ publicKey: Curve25519.Signing.PublicKey?) {
        guard let file = object("live-plugins.json") else { return }
        let bundle: ClientBundle
        do throws(ClientFile.Damage) {
            bundle = try ClientBundle(file)
        } catch {
            return report.add(.problem, "live-plugins.json is damaged: \(error.reason)")
        }
        report.facts["livePlugins"] = bundle.json
        if let reason = quarantine(bundle) {
            report.facts["quarantine"] = .string(reason)
            return report.add(
                .problem, "live plugins \(bundle.version) do not run on this device any more: \(reason)")
        }
        guard let publicKey else {
            let signed = bundle.signatures.isEmpty ? "without a signature" : "with a signature"
            return report.add(.fine, "live plugins have version \(bundle.version), \(signed)")
        }
        guard bundle.isSigned(by: publicKey) else {
            return report.add(
                .problem,
                "live plugins \(bundle.version) are \(bundle.signatures.isEmpty ? "not signed" : "not signed by that key")"
            )
        }
        report.add(.fine, "live plugins have version \(bundle.version), signed by that key")
    }

    /// Why the device runs the bundle no more; nil when it does.
    private mutating func quarantine(_ bundle: ClientBundle) -> String? {
        let entries = object("live-plugins-quarantine.json")?["bundles"]?.elements ?? []
        let entry = entries.first {
            $0["version"]?.stringValue == "\(bundle.version)" && $0["sha256"]?.stringValue == bundle.sha256
        }
        return entry.map { $0["reason"]?.stringValue ?? "the reason is unknown" }
    }

    /// The other files: their content does not matter for delivery, but damage does.
    private mutating func examineOtherFiles(_ names: [String]) {
        let examined = ["consent.json", "settings.json", "live-plugins.json", "live-plugins-quarantine.json"]
        for name in names where name.hasSuffix(".json") && !examined.contains(name) { _ = object(name) }
        for name in names where name.contains(".damaged-") {
            report.add(.problem, "\(name) is a damaged file that the client has set aside")
        }
    }

    // MARK: Queues

    private mutating func examine(_ queue: ClientQueue, _ consent: String?) {
        if let damage = queue.deliveryDamage {
            report.add(.problem, "delivery.json of queue \(queue.number) is damaged: \(damage)")
        }
        for log in queue.logs {
            for damage in log.damage {
                report.add(.problem, "\(log.name.rawValue) of queue \(queue.number): \(damage)")
            }
            if log.isEncrypted {
                report.add(.note, "\(log.name.rawValue) of queue \(queue.number) is encrypted; only its size is known")
            }
        }
        examineRefusals(queue)
        examinePending(queue, consent)
        examineInbox(queue)
        examineOutbox(queue)
        if ClientLog.Name.allCases.allSatisfy({ queue.count($0) == 0 }) {
            report.add(.fine, "no event waits in queue \(queue.number)")
        }
    }

    private mutating func examineRefusals(_ queue: ClientQueue) {
        guard let log = queue.log(.deadLetters), log.count > 0 else { return }
        let reasons = log.refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let text = reasons.prefix(3).map { "\($0.key) (\($0.value.grouped))" }.joined(separator: "; ")
        report.add(
            .problem,
            "the server refused \(events(log.count)) of queue \(queue.number) for good"
                + (text.isEmpty ? "" : ": \(text)"))
    }

    private mutating func examinePending(_ queue: ClientQueue, _ consent: String?) {
        guard let log = queue.log(.pending), log.count > 0 else { return }
        let what = "\(waiting(log)) in queue \(queue.number)"
        switch consent {
        case "granted": report.add(.note, "\(what) until the client moves them, because the user has given consent")
        case "denied": report.add(.note, "\(what) until the client deletes them, because the user has refused consent")
        default: report.add(.problem, "\(what) for the user's decision on consent")
        }
    }

    private mutating func examineInbox(_ queue: ClientQueue) {
        guard let log = queue.log(.inbox), log.count > 0 else { return }
        let what = "\(waiting(log)) in queue \(queue.number) to be processed"
        guard queue.isOpen == true else { return report.add(.note, "\(what)\(unopened(queue))") }
        let isLate = log.oldest.map { now - $0 > Self.patience } ?? false
        report.add(
            isLate ? .problem : .note,
            isLate
                ? "\(what), although the app runs: it waits for settings, a plugin that asked for time, or a destination"
                : "\(what)")
    }

    private mutating func examineOutbox(_ queue: ClientQueue) {
        guard let log = queue.log(.outbox) else { return }
        let delivery = queue.delivery
        let server = delivery?.host ?? "the server"
        if let delivery, delivery.failures > 0 {
            let since = delivery.failingSince.map { " since \(ClientTime.text($0, now: now))" } ?? ""
            let until = delivery.pausedUntil.map { time in
                time > now
                    ? "; the client tries again at \(ISO8601.string(milliseconds: time)), in \(ClientTime.span(time - now))"
                    : "; the client may try again since \(ISO8601.string(milliseconds: time))"
            }
            report.add(
                .problem,
                "queue \(queue.number) could not deliver to \(server) \(delivery.failures.grouped) "
                    + "\(delivery.failures == 1 ? "time" : "times") in a row\(since)\(until ?? "")")
        }
        guard log.count > 0 else { return }
        report.add(.note, "\(waiting(log)) in queue \(queue.number) for \(server)\(unopened(queue))")
    }

    private func unopened(_ queue: ClientQueue) -> String {
        queue.isOpen == false ? "; no running app has the queue, so it goes on at the next start" : ""
    }

    private func waiting(_ log: ClientLog) -> String {
        let oldest = log.oldest.map { ", the oldest since \(ClientTime.text($0, now: now))," } ?? ""
        return "\(events(log.count))\(oldest) \(log.count == 1 ? "waits" : "wait")"
    }

    private func events(_ count: Int) -> String { "\(count.grouped) \(count == 1 ? "event" : "events")" }
}
