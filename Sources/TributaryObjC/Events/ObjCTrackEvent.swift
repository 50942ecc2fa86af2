import Foundation
import Tributary
import TributaryJSON

/// Something that a user did: `SEGTrackEvent`.
#if canImport(ObjectiveC)
@objc(SEGTrackEvent) @objcMembers
#endif
public final class ObjCTrackEvent: ObjCEvent {
    /// An event of that name.
    public init(name: String, properties: [String: Any]?) {
        super.init(TrackEvent(event: name, properties: nil))
        self.properties = properties
    }

    init(event: TrackEvent) { super.init(event) }

    /// What was done, as a name in the past tense.
    public var event: String {
        get { text("event") ?? "" }
        set { setText(newValue, "event") }
    }

    /// What belongs to it.
    public var properties: [String: Any]? {
        get { members("properties") }
        set { setMembers(newValue, "properties") }
    }
}
