#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// A view controller that decides itself what is recorded about it.
public protocol SEGScreenReporting: AnyObject {
    /// Records the screen in a way of its own, in place of the client.
    func seg_trackScreen(_ screen: UIViewController, name: String)
    /// The child whose screen the user sees.
    var seg_mainViewController: UIViewController? { get }
}

extension SEGScreenReporting {
    public var seg_mainViewController: UIViewController? { nil }
}
#endif
