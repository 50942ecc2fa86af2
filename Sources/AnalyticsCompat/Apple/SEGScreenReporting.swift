#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// For view controllers that say themselves what is recorded of them.
public protocol SEGScreenReporting: AnyObject {
    /// Records the screen in a way of its own, in place of the client.
    func seg_trackScreen(_ screen: UIViewController, name: String)
    /// The one among its children that the user sees.
    var seg_mainViewController: UIViewController? { get }
}

extension SEGScreenReporting {
    public var seg_mainViewController: UIViewController? { nil }
}
#endif
