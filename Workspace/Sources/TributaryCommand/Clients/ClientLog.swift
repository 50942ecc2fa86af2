import Foundation
import TributaryJSON
import TributaryJournal
import WorkspaceCore
import WorkspaceServer

/// One log of an event queue: its events, and its damage.
///
/// The records are read from a copy, because opening a journal locks its folder and may repair it. The client may work
/// meanwhile: the segments are copied first and the mark last, so records that the client removes in between do not
/// look like damage.
struct ClientLog {
    enum Name: String, CaseIterable {
        case inbox, outbox, pending
        case deadLetters = "dead-letters"
    }

    let name: Name
    /// Records that were not removed.
    private(set) var count = 0
    private(set) var bytes = 0
    /// When the oldest event was tracked, or an earlier time when that is unknown; milliseconds since 1970.
    private(set) var oldest: Int64?
    private(set) var damage: [String] = []
    /// Whether the content is encrypted; the key is in the app.
    private(set) var isEncrypted = false
    /// How many events the server refused, by its answer.
    private(set) var refusals: [String: Int] = [:]
    /// The newest events, as many as the caller wanted.
    private(set) var newest: [ClientEvent] = []
    /// The user at the last segment of an inbox or of pending events.
    private(set) var user: ClientUser?

    /// - Parameters:
    ///   - queue: the folder of the queue.
    ///   - number: the number of the queue.
    ///   - keeping: the most events to keep in `newest`.
    init(
        _ name: Name, in queue: String, _ number: UInt64, scratch: String, keeping: Int = 0
    ) throws(Failure) {
        self.name = name
        let folder = "\(queue)/\(name.rawValue)"
        guard InputFile.isFolder(folder) else { return }
        do {
            let survey = try Journal.survey(folder)
            (count, bytes, oldest) = (survey.records, survey.bytes, survey.oldest.flatMap(ClientTime.plausible))
        } catch {
            damage.append("it cannot be read: \(SystemReason.text(error))")
            return
        }
        let copy = "\(scratch)/\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try Self.copy(folder, to: copy)
        read(copy, number, keeping)
    }

    private mutating func read(_ copy: String, _ number: UInt64, _ keeping: Int) {
        // No limit applies: only the client itself drops events that are too old or too many.
        let bounds = JournalBounds(bytes: 1 << 50, records: 1 << 50, age: 1 << 40)
        do throws(JournalError) {
            let journal = try Journal.open(copy, options: JournalOptions(bounds: bounds))
            defer { journal.close() }
            var (cursor, read) = (journal.cursor(), 0)
            while let record = try cursor.next() {
                read += 1
                take(record.payload, isFirst: read == 1)
                guard keeping > 0 else { continue }
                newest.append(ClientEvent(record.payload, record.sequence, in: name, of: number))
                if newest.count >= 2 * keeping { newest.removeFirst(newest.count - keeping) }
            }
            newest.removeFirst(max(0, newest.count - keeping))
            count = read
            user = journal.snapshot.flatMap(ClientUser.init)
            damage += journal.takeReports().compactMap(Self.text)
        } catch {
            if error.reason == .otherKey {
                isEncrypted = true
            } else {
                damage.append(SystemReason.text(error))
            }
        }
    }

    private mutating func take(_ payload: [UInt8], isFirst: Bool) {
        switch name {
        case .inbox, .pending:
            guard isFirst else { return }
            oldest = name.trackedAt(payload) ?? oldest
        case .outbox:
            guard isFirst else { return }
            oldest = ClientTime.read((try? JSON.parse(payload))?["timestamp"]) ?? oldest
        case .deadLetters:
            let letter = try? JSON.parse(payload)
            refusals[letter?["reason"]?.stringValue ?? "for an unknown reason", default: 0] += 1
            if isFirst { oldest = ClientTime.read(letter?["at"]) ?? oldest }
        }
    }

    /// The damage that a report is about; nil for a report about no damage.
    private static func text(_ report: JournalReport) -> String? {
        switch report {
        // The last write of a process that was killed, or one that is under way.
        case .tornTail, .droppedOldest: nil
        case .damagedRecords(let records, _): "\(records.grouped) records are damaged"
        case .damagedHeader(let file): "the head of \(file) is damaged"
        case .missingSegments(let records): "\(records.grouped) records are missing"
        case .damagedMark: "its mark is missing or damaged, so that events may be sent again"
        case .newerFormat(let file): "\(file) was written by a newer version"
        case .unreadable(let file, let code): "\(file) cannot be read: \(SystemReason.text(code: code))"
        case .foreignFile(let file): "\(file) is not of this log"
        case .unlisted(let reports): "and \(reports.grouped) more"
        }
    }

    private static func copy(_ folder: String, to copy: String) throws(Failure) {
        do {
            try FileManager.default.createDirectory(
                atPath: copy, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            for name in names.filter({ $0.hasSuffix(".tjl") }) + names.filter({ $0 == "mark" }) {
                // A file that is gone was removed by the client meanwhile.
                guard let content = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
                try content.write(to: URL(fileURLWithPath: "\(copy)/\(name)"))
            }
        } catch {
            throw Failure("\(folder.printable) cannot be copied: \(SystemReason.text(error))")
        }
    }

    var json: JSON {
        var json: JSON = ["events": .number(count), "bytes": .number(bytes), "oldest": .time(oldest)]
        if isEncrypted { json["encrypted"] = true }
        if !damage.isEmpty { json["damage"] = .strings(damage) }
        if !refusals.isEmpty {
            let sorted = refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            json["reasons"] = .object(
                JSONObject(members: sorted.map { ($0.key, .number($0.value)) }))
        }
        return json
    }
}
