import TributaryJSON

/// The identity of the user. A change is visible to the next call on any thread at once, and on disk before the
/// changing call returns.
///
/// The inbox stores the identity; while the user has not consented, the pending log does. A change is written together
/// with its event, and each segment begins with the latest identity.
final class Identity: Sendable {
    private let state: LockBox<UserInfo>
    /// A lock for changes; the value has no meaning. It is not `Void`, because the Thread Sanitizer reports a race for
    /// a lock around nothing.
    private let changing = LockBox(false)
    let observers = Observers<UserInfo>()
    private let writer: EventWriter
    let newAnonymousId: @Sendable () -> String

    /// - Parameter info: the identity; nil while it cannot be read. Then a new anonymous user is shown, who becomes the
    ///   identity if the disk has none.
    init(_ info: UserInfo?, writer: EventWriter, newAnonymousId: @escaping @Sendable () -> String) {
        self.writer = writer
        self.newAnonymousId = newAnonymousId
        state = LockBox(info ?? UserInfo(anonymousId: newAnonymousId()))
    }

    /// Takes the identity that could be read now.
    func settle(_ info: UserInfo) {
        changing.withLock { _ in
            let isNews = state.withLock { state in
                defer { state = info }
                return state != info
            }
            if isNews { observers.tell(info) }
        }
    }

    /// Shows a change that is made when the identity can be read.
    func preview(_ change: (inout UserInfo) -> Void) {
        changing.withLock { _ in
            let info = state.withLock { info in
                change(&info)
                return info
            }
            observers.tell(info)
        }
    }

    var current: UserInfo { state.withLock { $0 } }

    /// Changes the identity and appends the event of the change, in one write.
    /// - Parameter record: makes the inbox record for the new identity; nil when there is no event.
    /// - Returns: whether a record was stored or counted as lost.
    @discardableResult
    func change(_ change: (inout UserInfo) -> Void, record: (UserInfo) -> InboxRecord?) -> Bool {
        changing.withLock { _ in
            let info = state.withLock { info in
                change(&info)
                return info
            }
            defer { observers.tell(info) }
            if let record = record(info) { return writer.append(record, identity: info) }
            writer.append(identity: info)
            return false
        }
    }

    /// Calls the handler with the present identity, and then with each change in order. The handler must not change the
    /// identity.
    func observe(_ handler: @escaping @Sendable (UserInfo) -> Void) -> Int {
        changing.withLock { _ in
            handler(current)
            return observers.add(handler)
        }
    }

    /// Begins a new anonymous user.
    /// - Returns: the identity before and after.
    @discardableResult
    func reset(to anonymousId: String) -> (before: UserInfo, after: UserInfo) {
        let after = UserInfo(anonymousId: anonymousId)
        var before = after
        change { info in
            before = info
            info = after
        } record: { _ in
            nil
        }
        writer.forgetFirstIdentity()
        return (before, after)
    }

    /// Undoes a reset: the user before it is known again, with later changes added.
    func takeBack(from before: UserInfo, to after: UserInfo) {
        change { info in
            // The user has changed since.
            guard info.anonymousId == after.anonymousId else { return }
            let since = info
            info = before
            info.identify(userId: since.userId, traits: since.traits)
            if let referrer = since.referrerText { info.referrerText = referrer }
        } record: { _ in
            nil
        }
    }

    /// Begins an anonymous user without storing anything.
    func forget() {
        let anonymousId = newAnonymousId()
        changing.withLock { _ in
            state.withLock { $0 = UserInfo(anonymousId: anonymousId) }
        }
    }

    /// Stores the identity in the log that stores it now.
    func keep() { change({ _ in }, record: { _ in nil }) }
}

extension UserInfo {
    /// Takes a user id and traits. Traits of the same user are merged; another user begins without traits.
    mutating func identify(userId: String?, traits new: JSON?) {
        if let userId {
            if let known = self.userId, known != userId { traits = [:] }
            self.userId = userId
        }
        guard let new = new?.objectValue else { return }
        var merged = traits.objectValue ?? JSONObject()
        for (key, value) in new { merged[key] = value }
        traits = .object(merged)
    }
}
