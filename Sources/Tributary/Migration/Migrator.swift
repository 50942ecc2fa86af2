import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Takes over the data of another library: the user while the client is made, events afterwards.
struct Migrator: Sendable {
    /// The data with which a client begins.
    struct Inheritance {
        var user: LegacySDKUser?
        var application: LegacySDKApplication?
        var hasEvents = false
    }

    private let migration: Migration
    private let writeKey: String
    private let file: KeptFile
    private let report: @Sendable (Diagnostic) -> Void

    /// - Parameters:
    ///   - folder: the client's own folder, for the progress of the migration.
    ///   - keptFiles: remembers the progress, so that the client can write it again when the folder is deleted.
    init(
        migration: Migration, writeKey: String, folder: URL, files: any FileSystem = PosixFileSystem(),
        keptFiles: KeptFiles? = nil, report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.migration = migration
        self.writeKey = writeKey
        file = KeptFile(folder.appendingPathComponent("migration.json"), files, keptFiles)
        self.report = report
    }

    // MARK: While the client is made

    /// Looks for data. The result is stored before it is used, so a crash cannot lose it.
    /// - Parameter isNew: whether no client has ever used this storage.
    /// - Throws: when the progress of the migration cannot be read now.
    func begin(isNew: Bool) throws -> Inheritance {
        let known = try MigrationRecord(file: file)
        if known == nil, !isNew { return Inheritance() }
        if let known, !isNew || !known.hasEventsLeft {
            return Inheritance(application: known.application, hasEvents: known.hasEventsLeft)
        }
        let found = Inheritance(
            user: user, application: LegacySDKApplication { migration.preference(nil, $0) },
            hasEvents: mayHaveEvents)
        guard found.user != nil || found.application != nil || found.hasEvents else { return found }
        store(MigrationRecord(hasEventsLeft: true, application: found.application))
        return Inheritance(user: found.user, application: found.application, hasEvents: true)
    }

    /// analytics-swift is the younger library, so its user wins.
    private var user: LegacySDKUser? {
        let domain = AnalyticsSwiftUser.domain(writeKey: writeKey)
        let swift = AnalyticsSwiftUser { migration.preference(domain, $0) }
        tell(swift.problems)
        if !swift.user.isEmpty { return swift.user }
        for folder in migration.appFolders {
            let files = AnalyticsIOSFiles(
                file: { try MigrationFile.read(folder.appendingPathComponent($0)) },
                preference: { migration.preference(nil, $0) }, decrypt: migration.decrypt)
            tell(files.problems)
            if !files.user.isEmpty { return files.user }
        }
        return nil
    }

    private func tell(_ problems: [String]) {
        for problem in problems { report(Diagnostic(.migration, problem)) }
    }

    // MARK: Events

    /// Puts the events into the client's storage, on a thread of its own.
    /// - Parameters:
    ///   - store: stores an event; false when the event would not survive the end of the process.
    func carryOver(_ inheritance: Inheritance, store: @escaping @Sendable (JSONObject) -> Bool) {
        guard inheritance.hasEvents else { return }
        DispatchQueue(label: "tributary.migration", qos: .utility).async {
            carryOverNow(inheritance, store: store)
        }
    }

    /// As `carryOver`, on the caller's thread.
    func carryOverNow(_ inheritance: Inheritance, store: (JSONObject) -> Bool) {
        let files = eventFiles
        tell(files.problems)
        let isDone = files.list.prefix(Limits.migratedFiles).reduce(true) { carryOver($1, store: store) && $0 }
        guard isDone, files.problems.isEmpty, files.list.count <= Limits.migratedFiles else { return }
        self.store(MigrationRecord(hasEventsLeft: false, application: inheritance.application))
        report(Diagnostic(.migration, "the data of another library has been taken over", severity: .notice))
    }

    /// Whether there may be events. A folder that cannot be listed may have some.
    private var mayHaveEvents: Bool {
        let files = eventFiles
        return !files.list.isEmpty || !files.problems.isEmpty
    }

    /// The files that exist, and the folders that could not be listed.
    private var eventFiles: (list: [LegacySDKEventFile], problems: [String]) {
        var list = migration.appFolders.flatMap { LegacySDKEventFile.analyticsIOS(in: $0, writeKey: writeKey) }
        var problems: [String] = []
        for folder in migration.eventFolders(writeKey) {
            do {
                list += try LegacySDKEventFile.analyticsSwift(in: folder, names: migration.names)
            } catch {
                problems.append("the folder of analytics-swift: \(error); the client tries again at the next start")
            }
        }
        return (list, problems)
    }

    /// - Returns: whether the work for this file is complete.
    private func carryOver(_ file: LegacySDKEventFile, store: (JSONObject) -> Bool) -> Bool {
        do {
            guard let content = try file.content(decrypt: migration.decrypt),
                let file = try file.claimed(writeKey: writeKey)
            else { return true }
            for event in content.events {
                guard store(Self.complete(event)) else {
                    throw MigrationError("this client's storage does not take events now", isPassing: true)
                }
            }
            if !content.events.isEmpty { tell(content.events.count, file) }
            guard content.torn == 0 else {
                throw MigrationError("\(content.torn) of its events are torn; the others were taken over")
            }
            try FileManager.default.removeItem(at: file.url)
            return true
        } catch {
            let isPassing = (error as? MigrationError)?.isPassing ?? false
            let rest = isPassing ? "the client tries again at the next start" : "the client leaves it alone"
            report(
                Diagnostic(.migration, "\(file.url.lastPathComponent) of \(file.library.rawValue): \(error); \(rest)"))
            return !isPassing
        }
    }

    private func tell(_ count: Int, _ file: LegacySDKEventFile) {
        let from = "\(file.library.rawValue), \(file.url.lastPathComponent)"
        report(Diagnostic(.migration, "this client has taken over events of \(from)", severity: .notice, count: count))
    }

    /// Gives an event without an id one that is derived from its content, so a repetition makes the same event.
    private static func complete(_ event: JSONObject) -> JSONObject {
        guard event["messageId"]?.stringValue == nil else { return event }
        var event = event
        event["messageId"] = .string("migrated-" + String(Identifiers.fnv1a(JSON.object(event).encoded()), radix: 16))
        return event
    }

    private func store(_ record: MigrationRecord) {
        do {
            try record.store(in: file)
        } catch {
            report(Diagnostic(.migration, "the progress of the migration cannot be stored: \(error)"))
        }
    }
}
