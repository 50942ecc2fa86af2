import TributaryJSON

/// Who the user is: visible to the next call on any thread at once, and durable before the changing call returns.
///
/// The inbox keeps it, or, until the user consents, what is kept apart from it: a change is written together with its event, and each segment begins with the latest.
// The state is behind its lock; `changing` only puts changes in an order and is never held by readers.
final class Identity: Sendable {
    private let state: LockBox<UserInfo>
    /// How many changes there were. Not `Void`: the Thread Sanitizer takes a lock around nothing for a race on the box.
    private let changing = LockBox(false)
    let observers = Observers<UserInfo>()
    private let writer: EventWriter
    let newAnonymousId: @Sendable () -> String

    /// - Parameter info: who the user is; nil while that cannot be read. Then it is shown as somebody new, which is who it
    ///   will be if nobody is known.
    init(_ info: UserInfo?, writer: EventWriter, newAnonymousId: @escaping @Sendable () -> String) {
        self.writer = writer
        self.newAnonymousId = newAnonymousId
        state = LockBox(info ?? UserInfo(anonymousId: newAnonymousId()))
    }

    /// It can be read now who the user is.
    func settle(_ info: UserInfo) {
        changing.withLock { _ in
            let isNews = state.withLock { state in
                defer { state = info }
                return state != info
            }
            if isNews { observers.tell(info) }
        }
    }

    /// Shows a change that is made when it can be read who the user is.
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

    /// Changes who the user is and appends the event that says so, both in one write.
    /// - Parameter record: makes the inbox record out of the new identity; nil when there is no event.
    func change(_ change: (inout UserInfo) -> Void, record: (UserInfo) -> InboxRecord?) {
        changing.withLock { _ in
            let info = state.withLock { info in
                change(&info)
                return info
            }
            if let record = record(info) {
                writer.append(record, identity: info)
            } else {
                writer.append(identity: info)
            }
            observers.tell(info)
        }
    }

    /// The handler gets who the user is now, and then each change in its order; it must not change anything itself.
    func observe(_ handler: @escaping @Sendable (UserInfo) -> Void) -> Int {
        changing.withLock { _ in
            handler(current)
            return observers.add(handler)
        }
    }

    /// An anonymous user about whom nothing is known.
    /// - Returns: who it was, and who it is now.
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

    /// The user was not to be forgotten: who it was before is known again, with what was said of it since.
    func takeBack(from before: UserInfo, to after: UserInfo) {
        change { info in
            // Somebody else by now.
            guard info.anonymousId == after.anonymousId else { return }
            let since = info
            info = before
            info.identify(userId: since.userId, traits: since.traits)
            if let referrer = since.referrerText { info.referrerText = referrer }
        } record: { _ in
            nil
        }
    }

    /// Nobody that is known, nor will be: nothing of it is kept.
    func forget() {
        let anonymousId = newAnonymousId()
        changing.withLock { _ in
            state.withLock { $0 = UserInfo(anonymousId: anonymousId) }
        }
    }

    /// Keeps who the user is where it is to be kept now.
    func keep() { change({ _ in }, record: { _ in nil }) }
}

extension UserInfo {
    /// Takes over a user id and traits: traits of the same user are merged, another user begins without any.
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
