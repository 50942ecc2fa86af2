public import Dispatch
public import Foundation

extension Analytics {
    /// Deletes nothing and reports a diagnostic: a file of events is a part of a log, which would be damaged.
    @available(
        *, deprecated,
        message:
            "one file of events cannot be deleted; purgeStorage() deletes all events, and the client deletes events that have arrived"
    )
    public func purgeStorage(fileURL: URL) {
        report(
            Diagnostic(
                .storage,
                "\(fileURL.lastPathComponent) was not deleted: a file of events belongs to a log; purgeStorage() deletes all events"
            ))
    }
}

extension Analytics {
    /// Observes the user like `observeUserInfo`, with a number as the field's token.
    /// - Returns: a number for `unsubscribe`.
    @discardableResult
    public func subscribeToUserInfo(
        on queue: DispatchQueue = .main, handler: @escaping @Sendable (UserInfo) -> Void
    ) -> Int { addUserInfoObserver(on: queue, handler) }

    /// Ends a subscription. The handler is not called again; a call that has begun goes on.
    public func unsubscribe(_ id: Int) { identity.observers.remove(id) }
}

extension Analytics.LogKind: CustomStringConvertible, CustomDebugStringConvertible {
    /// The name of the case.
    public var description: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .debug: "debug"
        case .none: "none"
        }
    }

    /// The name of the case.
    public var debugDescription: String { description }
}

extension CloudDestination: VersionedPlugin {
    /// The version of this library.
    public static func version() -> String { Analytics.version() }

    /// Sends the events of earlier calls, and leaves the group after one attempt to send everything.
    public func flush(group: DispatchGroup) { flush(group: group) { _ in } }

    /// As `flush(group:)`; the completion is called on a background thread when the group is left.
    public func flush(group: DispatchGroup, completion: @escaping @Sendable (any DestinationPlugin) -> Void) {
        guard let analytics else { return completion(self) }
        group.enter()
        analytics.requestFlush { [self] in
            completion(self)
            group.leave()
        }
    }
}
