import Foundation
import TributaryJournal

/// The facts that a client reads first: the consent decision, the identity, and the data that another library left.
///
/// A client reads all of this or nothing. Only a missing file means that there is no user and that the app is new; a
/// file that cannot be read may say the opposite.
final class StartFacts: Sendable {
    let user: UserInfo
    let migrator: Migrator?
    let inheritance: Migrator.Inheritance?

    /// Small files from which plugins of the library draw conclusions. They are checked here too, so that the plugins
    /// can read them later.
    private static let files = [ApplicationVersionFile.name, StorageLocation.sessionName, StorageLocation.settingsName]

    /// The facts with which a client begins, or why it has to wait for the disk.
    ///
    /// Files of another account of the system never become readable, so the client does not wait for them: it begins in
    /// memory, and a tool that runs for seconds still delivers.
    static func read(
        _ eventQueue: EventQueue, _ writer: EventWriter, _ values: Configuration.Values,
        _ report: (Diagnostic) -> Void, anonymousId: () -> String
    ) -> Result<StartFacts, any Error> {
        do {
            return .success(try StartFacts(eventQueue, writer, values, anonymousId: anonymousId))
        } catch let error as JournalError where error.isForeign {
            report(
                Diagnostic(
                    .storage,
                    "the client may not open its files (\(error)), so it works in memory; they seem to belong to another "
                        + "account of the system",
                    reason: .init(StorageState.Reason.unreadable)))
            return .success(StartFacts(without: eventQueue, writer, UserInfo(anonymousId: anonymousId())))
        } catch {
            return .failure(error)
        }
    }

    /// - Parameter anonymousId: the id of an unknown user.
    /// - Throws: when a file cannot be read now. Then nothing has been written.
    init(_ eventQueue: EventQueue, _ writer: EventWriter, _ values: Configuration.Values, anonymousId: () -> String)
        throws
    {
        try Self.checkOpening(eventQueue, values)
        try writer.begin()
        if let folder = eventQueue.directory.location?.folder {
            for name in Self.files { _ = try KeptFile(folder.appendingPathComponent(name), values.files).peek() }
        }
        migrator = writer.target == .nowhere ? nil : Analytics.migrator(values, eventQueue)
        let origin = try IdentityOrigin(eventQueue: eventQueue, writer: writer)
        let inheritance = try migrator?.begin(isNew: origin.newest == nil)
        self.inheritance = inheritance
        let user = inheritance?.user
        self.user = try origin.begin {
            UserInfo(
                anonymousId: user?.anonymousId ?? anonymousId(), userId: user?.userId,
                traits: .object(user?.traits ?? [:]))
        }
    }

    /// For a client that no longer waits for the disk: a new user, unless another queue knows the user.
    init(without eventQueue: EventQueue, _ writer: EventWriter, _ user: UserInfo) {
        writer.beginInMemory()
        self.user = user
        (migrator, inheritance) = (nil, nil)
        // The change has the time 0, so an identity that is already on disk stays the newest.
        guard writer.target != .nowhere else { return }
        writer.append(snapshot: IdentitySnapshot(user, changedAt: 0).encoded)
    }

    /// Throws when the files of the queue could not be opened although the files that are read here can be. Nothing
    /// would then reach the disk. Devices without a first unlock may stay like this, and the client needs only the
    /// files that it can read, so there this does not throw.
    private static func checkOpening(_ eventQueue: EventQueue, _ values: Configuration.Values) throws {
        guard values.unlockPatience == nil, !eventQueue.inbox.hasDisk else { return }
        if let failure = eventQueue.directory.openingFailure.withLock({ $0 }),
            StorageState.Reason(failure) == .unreadable
        {
            throw failure
        }
    }
}
