import Foundation
import Tributary
import TributaryJSON

/// A user with another id from now on: `SEGAliasEvent`.
#if canImport(ObjectiveC)
@objc(SEGAliasEvent) @objcMembers
#endif
public final class ObjCAliasEvent: ObjCEvent {
    /// The new id takes the place of the previous one.
    public init(newId: String?, previousId: String?) {
        super.init(AliasEvent(newId: newId, previousId: previousId))
    }

    init(event: AliasEvent) { super.init(event) }

    /// The id until now.
    public var previousId: String? {
        get { text("previousId") }
        set { setText(newValue, "previousId") }
    }
}
