import Foundation
public import Tributary
import TributaryJSON

extension Configuration {
    /// Keeps a client with this configuration from network, disk and the data of other clients, and records the events that it
    /// would send. For previews and for tests of an app's own client, with its plugins.
    ///
    /// ```swift
    /// let configuration = Configuration(writeKey: "KEY").flushAt(1)    // as the app configures its client
    /// let recording = configuration.recordsEvents()
    /// let analytics = Analytics(configuration: configuration)
    /// analytics.track(name: "Order Completed")
    /// print(await recording.events(of: analytics).names)
    /// ```
    ///
    /// Call it last: it replaces the transport, the storage and the conditions for uploads. The time of the client stays, so
    /// its clock is the system's; ``TestClient`` has a clock for tests. Settings are `{"integrations":{}}`, unless the server of
    /// the recording answers others.
    public func recordsEvents() -> EventRecording {
        let recording = EventRecording()
        transport(recording.server).uploadConditions(nil).gzip(false).migration(.off)
            .storageMode(.memory(EventRecording.capacity))
        return recording
    }
}

/// The events that a client would have sent; see `Configuration.recordsEvents()`. It may be used from any thread.
public struct EventRecording: Sendable {
    /// The events that may wait in memory until they are asked for.
    static let capacity = 100_000
    /// Seconds after which a client that does not end its flush is not waited for any longer.
    private static let patience: TimeInterval = 60

    /// Answers the client in place of a workspace, and confirms everything.
    public let server = StubServer()

    /// The events that the client has sent so far, in order, as a server gets them. Dropped events are not included.
    public var sent: RecordedEvents { RecordedEvents(server.events.compactMap(Self.event)) }

    /// Waits until the client has sent everything that was tracked before, at most a minute.
    /// - Returns: all events so far, in order, as a server gets them. Dropped events are not included.
    public func events(of analytics: Analytics) async -> RecordedEvents {
        _ = await analytics.flush(timeout: Self.patience)
        return sent
    }

    private static func event(_ json: JSON) -> (any RawEvent)? {
        guard let object = json.objectValue else { return nil }
        switch object["type"]?.stringValue {
        case TrackEvent.typeName: return TrackEvent(json: object)
        case IdentifyEvent.typeName: return IdentifyEvent(json: object)
        case ScreenEvent.typeName: return ScreenEvent(json: object)
        case GroupEvent.typeName: return GroupEvent(json: object)
        case AliasEvent.typeName: return AliasEvent(json: object)
        default: return nil
        }
    }
}
