import Foundation
import Tributary
import TributaryJSON

/// Gives a user another id: `SEGAliasEvent`.
#if canImport(ObjectiveC)
@objc(SEGAliasEvent) @objcMembers
#endif
public final class ObjCAliasEvent: ObjCEvent {
    /// The new id replaces the previous one.
    public init(newId: String?, previousId: String?) {
        super.init(AliasEvent(newId: newId, previousId: previousId))
    }

    init(event: AliasEvent) { super.init(event) }

    /// The id before this event.
    public var previousId: String? {
        get { text("previousId") }
        set { setText(newValue, "previousId") }
    }
}
