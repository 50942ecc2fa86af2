import Foundation
import Tributary
import TributaryJSON

/// Associates a user with a company, team or other group: `SEGGroupEvent`.
#if canImport(ObjectiveC)
@objc(SEGGroupEvent) @objcMembers
#endif
public final class ObjCGroupEvent: ObjCEvent {
    /// An event for the group with that id.
    public init(groupId: String?, traits: [String: Any]?) {
        super.init(GroupEvent(groupId: groupId))
        self.traits = traits
    }

    init(event: GroupEvent) { super.init(event) }

    /// The id of the group.
    public var groupId: String? {
        get { text("groupId") }
        set { setText(newValue, "groupId") }
    }

    /// The traits of the group.
    public var traits: [String: Any]? {
        get { members("traits") }
        set { setMembers(newValue, "traits") }
    }
}
