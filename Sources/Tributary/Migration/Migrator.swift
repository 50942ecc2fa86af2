import Dispatch
import Foundation
import TributaryJSON
import TributaryJournal

/// Takes over what another library left: who the user is when the client is made, events afterwards.
struct Migrator: Sendable {
    /// What a client begins with.
    struct Inheritance {
        var user: LegacySDKUser?
        var application: LegacySDKApplication?
        var hasEvents = false
    }

    private let migration: Migration
    private let writeKey: String
    private let file: KeptFile
    private let report: @Sendable (Diagnostic) -> Void

    /// - Parameter folder: the client's own, where it remembers how far it has come.
    init(
        migration: Migration, writeKey: String, folder: URL, files: any FileSystem = PosixFileSystem(),
        report: @escaping @Sendable (Diagnostic) -> Void
    ) {
        self.migration = migration
        self.writeKey = writeKey
        file = KeptFile(folder.appendingPathComponent("migration.json"), files)
        self.report = report
    }

    // MARK: When the client is made

    /// Finds out what there is. What was found is written down before it is used, so a crash never makes it forgotten.
    /// - Parameter isNew: whether nobody has ever used the client's storage.
    /// - Throws: when it cannot be read how far a migration has come.
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

    /// analytics-swift is the younger library: where both have been, it knows better.
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

    // MARK: Afterwards

    /// Puts the events into the client's storage, on a thread of its own.
    /// - Parameters:
    ///   - store: stores an event; false when it would not survive the process.
    func carryOver(_ inheritance: Inheritance, store: @escaping @Sendable (JSONObject) -> Bool) {
        guard inheritance.hasEvents else { return }
        DispatchQueue(label: "tributary.migration", qos: .utility).async {
            carryOverNow(inheritance, store: store)
        }
    }

    /// The same on the caller's thread.
    func carryOverNow(_ inheritance: Inheritance, store: (JSONObject) -> Bool) {
        let files = eventFiles
        tell(files.problems)
        let isDone = files.list.prefix(Limits.migratedFiles).reduce(true) { carryOver($1, store: store) && $0 }
        guard isDone, files.problems.isEmpty, files.list.count <= Limits.migratedFiles else { return }
        self.store(MigrationRecord(hasEventsLeft: false, application: inheritance.application))
        report(Diagnostic(.migration, "what another library left has been taken over", severity: .notice))
    }

    /// A folder that cannot be looked into may hold events.
    private var mayHaveEvents: Bool {
        let files = eventFiles
        return !files.list.isEmpty || !files.problems.isEmpty
    }

    /// The files that are there, and which folders could not be looked into.
    private var eventFiles: (list: [LegacySDKEventFile], problems: [String]) {
        var list = migration.appFolders.flatMap { LegacySDKEventFile.analyticsIOS(in: $0, writeKey: writeKey) }
        var problems: [String] = []
        for folder in migration.eventFolders(writeKey) {
            do {
                list += try LegacySDKEventFile.analyticsSwift(in: folder, names: migration.names)
            } catch {
                problems.append("the folder of analytics-swift: \(error); it is tried again at the next start")
            }
        }
        return (list, problems)
    }

    /// - Returns: whether there is nothing left to do for this file.
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
            let rest = isPassing ? "it is tried again at the next start" : "it is left alone"
            report(
                Diagnostic(.migration, "\(file.url.lastPathComponent) of \(file.library.rawValue): \(error); \(rest)"))
            return !isPassing
        }
    }

    private func tell(_ count: Int, _ file: LegacySDKEventFile) {
        let from = "\(file.library.rawValue), \(file.url.lastPathComponent)"
        report(Diagnostic(.migration, "events of \(from) go on through this client", severity: .notice, count: count))
    }

    /// An event without an id gets one that follows from what it says, so that a repetition does not make another event.
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
            report(Diagnostic(.migration, "how far it has come cannot be written down: \(error)"))
        }
    }
}
