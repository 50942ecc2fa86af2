import Foundation
import Tributary
import TributaryJSON

/// A screen that a user saw: `SEGScreenEvent`.
#if canImport(ObjectiveC)
@objc(SEGScreenEvent) @objcMembers
#endif
public final class ObjCScreenEvent: ObjCEvent {
    /// A screen of that name, in a category of screens.
    public init(name: String?, category: String?, properties: [String: Any]?) {
        super.init(ScreenEvent(title: name, category: category))
        self.properties = properties
    }

    init(event: ScreenEvent) { super.init(event) }

    /// The name of the screen.
    public var name: String? {
        get { text("name") }
        set { setText(newValue, "name") }
    }

    /// The category of the screen.
    public var category: String? {
        get { text("category") }
        set { setText(newValue, "category") }
    }

    /// What belongs to it.
    public var properties: [String: Any]? {
        get { members("properties") }
        set { setMembers(newValue, "properties") }
    }
}
