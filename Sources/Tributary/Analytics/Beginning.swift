import Foundation

/// The facts that a client reads first: the consent decision, the identity, and the data that another library left.
///
/// All of it or nothing: a file that cannot be read may say that the user is known and that the app ran before, and only
/// one that is not there says that they are not.
struct Beginning {
    let user: UserInfo
    let migrator: Migrator?
    let inheritance: Migrator.Inheritance?

    /// Small files beside the queues from which plugins of the library conclude something. They are looked at together with
    /// the rest, so that they can be read when their readers come.
    private static let files = [ApplicationVersionFile.name, StorageLocation.sessionName, StorageLocation.settingsName]

    /// - Parameter anonymousId: the id of an unknown user.
    /// - Throws: when some of it cannot be read now. Then nothing has been written.
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

    /// For a client that waits no longer: somebody new, unless it is known better elsewhere.
    init(without eventQueue: EventQueue, _ writer: EventWriter, _ user: UserInfo) {
        writer.beginInMemory()
        self.user = user
        (migrator, inheritance) = (nil, nil)
        // Not with the present time: an identity that was known before stays the latest.
        guard writer.target != .nowhere else { return }
        writer.append(snapshot: IdentitySnapshot(user, changedAt: 0).encoded)
    }

    /// A disk that refused its files, though perhaps not those that are read here, keeps nothing of what is settled. Where
    /// devices have no first unlock, that may last, and reading is all that is needed.
    private static func checkOpening(_ eventQueue: EventQueue, _ values: Configuration.Values) throws {
        guard values.unlockPatience == nil, !eventQueue.inbox.hasDisk else { return }
        if let failure = eventQueue.directory.openingFailure.withLock({ $0 }),
            StorageState.Reason(failure) == .unreadable
        {
            throw failure
        }
    }
}
