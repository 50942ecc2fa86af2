package import TributaryJSON
import TributaryJournal

/// The state of the client for the inspector in the app.
extension Analytics {
    /// Whether delivery is held: events stay in their queues until this is false, or until the app starts again.
    package var holdsDelivery: Bool {
        get { eventQueue.directory.conditions.isHeld }
        set { eventQueue.directory.conditions.isHeld = newValue }
    }

    /// The time of the event that this client would send first, in milliseconds since 1970; nil when none waits. This reads one
    /// record.
    package var oldestWaiting: Int64? {
        let outbox = eventQueue.outbox
        // A record that cannot be read has no time: the diagnostics of the log say why.
        if outbox.untaken() > 0, let first = outbox.read(after: outbox.start, maxBytes: 1, maxCount: 1).records.first {
            return (try? JSON.parse(first.payload))?["timestamp"]?.stringValue.flatMap(ISO8601.milliseconds)
        }
        guard eventQueue.unprocessed > 0 else { return nil }
        let first = inbox.read(after: max(eventQueue.position, inbox.start), maxBytes: 1, maxCount: 1).records.first
        return first.flatMap { try? InboxRecord(payload: $0.payload).trackedAt }
    }

    /// Calls back, on the client's executor, with the bundle of live plugins that processes events now.
    package func readBundle(_ completion: @escaping @Sendable (BundleInUse) -> Void) {
        performBetweenEvents { [timeline] in
            let versions = timeline.snapshot.hosts.compactMap { $0.host?.bundleVersion }
            completion(versions.first.map { $0.deployedVersion.map(BundleInUse.deployed) ?? .ofApp } ?? .none)
        }
    }

    /// Calls the handler with each signal that scripts and broadcasters get, as they get it.
    /// - Parameter handler: called on the client's executor, which waits for it.
    package func observeSignals(_ handler: @escaping @Sendable (JSON) -> Void) -> Observation {
        let (observers, id) = (signalObservers, signalObservers.add(handler))
        return Observation { observers.remove(id) }
    }
}

/// The bundle of live plugins that processes events.
package enum BundleInUse: Sendable, Equatable {
    case none
    /// A script that came with the app.
    case ofApp
    /// A bundle of the workspace, with its number.
    case deployed(Int)
}
