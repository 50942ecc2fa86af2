import Foundation
import Tributary
import TributaryJSON

/// Sets the id and traits of a user: `SEGIdentifyEvent`.
#if canImport(ObjectiveC)
@objc(SEGIdentifyEvent) @objcMembers
#endif
public final class ObjCIdentifyEvent: ObjCEvent {
    /// An event for the user with that id and those traits.
    public init(userId: String?, traits: [String: Any]?) {
        super.init(IdentifyEvent(userId: userId))
        self.traits = traits
    }

    init(event: IdentifyEvent) { super.init(event) }

    /// The traits of the user.
    public var traits: [String: Any]? {
        get { members("traits") }
        set { setMembers(newValue, "traits") }
    }
}
