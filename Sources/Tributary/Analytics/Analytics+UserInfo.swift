public import Dispatch

extension Analytics {
    /// Who the user is: now, and after each change. A slow reader loses what is no longer true, never the latest.
    public var userInfoUpdates: AsyncStream<UserInfo> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = identity.observe { continuation.yield($0) }
            continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
        }
    }

    /// Calls the handler with who the user is: now, and after each change, in their order.
    /// - Parameter queue: where it is called. Default: the main queue.
    /// - Returns: a number for `unsubscribe`.
    @discardableResult
    public func subscribeToUserInfo(
        on queue: DispatchQueue = .main, handler: @escaping @Sendable (UserInfo) -> Void
    ) -> Int {
        let (observers, number) = (identity.observers, LockBox(0))
        let id = identity.observe { info in
            queue.async {
                // Not after the end of the subscription, although the change came before it.
                let id = number.withLock { $0 }
                if id == 0 || observers.contains(id) { handler(info) }
            }
        }
        number.withLock { $0 = id }
        return id
    }

    /// Ends a subscription; its handler is not called any more, but for a call that has begun.
    public func unsubscribe(_ id: Int) { identity.observers.remove(id) }
}
