import Foundation
import Tributary
import TributaryJSON

/// Records a screen that a user saw: `SEGScreenEvent`.
#if canImport(ObjectiveC)
@objc(SEGScreenEvent) @objcMembers
#endif
public final class ObjCScreenEvent: ObjCEvent {
    /// A screen with that name and category.
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

    /// The properties of the screen.
    public var properties: [String: Any]? {
        get { members("properties") }
        set { setMembers(newValue, "properties") }
    }
}
