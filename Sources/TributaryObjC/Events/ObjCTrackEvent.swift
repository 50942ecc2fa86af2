import Foundation
import Tributary
import TributaryJSON

/// Records an action of a user: `SEGTrackEvent`.
#if canImport(ObjectiveC)
@objc(SEGTrackEvent) @objcMembers
#endif
public final class ObjCTrackEvent: ObjCEvent {
    /// An event with that name.
    public init(name: String, properties: [String: Any]?) {
        super.init(TrackEvent(event: name, properties: nil))
        self.properties = properties
    }

    init(event: TrackEvent) { super.init(event) }

    /// The name of the action, in the past tense.
    public var event: String {
        get { text("event") ?? "" }
        set { setText(newValue, "event") }
    }

    /// The properties of the event.
    public var properties: [String: Any]? {
        get { members("properties") }
        set { setMembers(newValue, "properties") }
    }
}
