import Foundation
import Tributary
import TributaryJSON

/// Who a user is, and what is known of them: `SEGIdentifyEvent`.
#if canImport(ObjectiveC)
@objc(SEGIdentifyEvent) @objcMembers
#endif
public final class ObjCIdentifyEvent: ObjCEvent {
    /// Traits of the user with that id.
    public init(userId: String?, traits: [String: Any]?) {
        super.init(IdentifyEvent(userId: userId))
        self.traits = traits
    }

    init(event: IdentifyEvent) { super.init(event) }

    /// What is known of the user.
    public var traits: [String: Any]? {
        get { members("traits") }
        set { setMembers(newValue, "traits") }
    }
}
