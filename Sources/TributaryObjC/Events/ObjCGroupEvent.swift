import Foundation
import Tributary
import TributaryJSON

/// A company, team or other group that a user belongs to: `SEGGroupEvent`.
#if canImport(ObjectiveC)
@objc(SEGGroupEvent) @objcMembers
#endif
public final class ObjCGroupEvent: ObjCEvent {
    /// The group with that id.
    public init(groupId: String?, traits: [String: Any]?) {
        super.init(GroupEvent(groupId: groupId))
        self.traits = traits
    }

    init(event: GroupEvent) { super.init(event) }

    /// Identifies the group.
    public var groupId: String? {
        get { text("groupId") }
        set { setText(newValue, "groupId") }
    }

    /// What is known of the group.
    public var traits: [String: Any]? {
        get { members("traits") }
        set { setMembers(newValue, "traits") }
    }
}
