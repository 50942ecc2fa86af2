public import Dispatch

extension Analytics {
    /// The present user, and then the user after each change. A slow reader skips outdated values, never the latest.
    public var userInfoUpdates: AsyncStream<UserInfo> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let (observers, id) = (identity.observers, identity.observe { continuation.yield($0) })
            continuation.onTermination = { _ in observers.remove(id) }
        }
    }

    /// Calls the handler with the present user, and then after each change, in order.
    /// - Parameter queue: the queue that the handler is called on. Default: the main queue.
    @discardableResult
    public func observeUserInfo(
        on queue: DispatchQueue = .main, _ handler: @escaping @Sendable (UserInfo) -> Void
    ) -> Observation {
        let (observers, id) = (identity.observers, addUserInfoObserver(on: queue, handler))
        return Observation { observers.remove(id) }
    }

    func addUserInfoObserver(on queue: DispatchQueue, _ handler: @escaping @Sendable (UserInfo) -> Void) -> Int {
        let (observers, number) = (identity.observers, LockBox(0))
        let id = identity.observe { info in
            queue.async {
                // The observation may have ended after the change and before this call. Then the handler is not called.
                let id = number.withLock { $0 }
                if id == 0 || observers.contains(id) { handler(info) }
            }
        }
        number.withLock { $0 = id }
        return id
    }
}
