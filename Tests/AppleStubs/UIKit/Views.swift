// Views and view controllers of UIKit, as far as the client looks at them, after Apple's documentation for the SDK of iOS 18.
// What the system would set can be set by tests: it is `package`, and so is what exists for tests alone.
@_exported public import Foundation

// Not read: uikit/uiview
@MainActor open class UIView: UIResponder {
    public package(set) weak var superview: UIView?
    public var accessibilityLabel: String?
    public var accessibilityIdentifier: String?
    open var window: UIWindow? { nil }
    open var bounds: CGRect { .zero }
    open var traitCollection: UITraitCollection { UITraitCollection() }
    public func addSubview(_ view: UIView) { view.superview = self }
}

// Not read: uikit/uiwindow
@MainActor open class UIWindow: UIView {
    open var rootViewController: UIViewController?
}

// Not read: uikit/uicontrol
@MainActor open class UIControl: UIView {}

// Not read: uikit/uibutton
@MainActor open class UIButton: UIControl {
    public package(set) var currentTitle: String?
}

// Not read: uikit/uilabel
@MainActor open class UILabel: UIView {
    public var text: String?
}

// Not read: uikit/uisegmentedcontrol
@MainActor open class UISegmentedControl: UIControl {
    package var titles: [String] = []
    public var selectedSegmentIndex = -1
    public var numberOfSegments: Int { titles.count }
    public func titleForSegment(at segment: Int) -> String? { titles[segment] }
}

// https://developer.apple.com/documentation/uikit/uiswitch
@available(tvOS, unavailable)
@MainActor open class UISwitch: UIControl {
    public var isOn = false
}

// https://developer.apple.com/documentation/uikit/uislider
@available(tvOS, unavailable)
@MainActor open class UISlider: UIControl {
    public var value: Float = 0
}

// https://developer.apple.com/documentation/uikit/uistepper
@available(tvOS, unavailable)
@MainActor open class UIStepper: UIControl {
    public var value: Double = 0
}

// Not read: uikit/uitextcontenttype
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let password = UITextContentType(rawValue: "password")
    public static let newPassword = UITextContentType(rawValue: "new-password")
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    public static let creditCardNumber = UITextContentType(rawValue: "cc-number")
}

// https://developer.apple.com/documentation/uikit/uitextinputtraits/issecuretextentry: on Apple's systems its members are optional requirements of Objective-C.
@MainActor public protocol UITextInputTraits: NSObjectProtocol {
    var isSecureTextEntry: Bool { get }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    var textContentType: UITextContentType! { get }
}

// Not read: uikit/uitextfield
@MainActor open class UITextField: UIControl, UITextInputTraits {
    nonisolated public static let textDidBeginEditingNotification = Notification.Name(
        "UITextFieldTextDidBeginEditingNotification")
    nonisolated public static let textDidEndEditingNotification = Notification.Name(
        "UITextFieldTextDidEndEditingNotification")
    public var text: String?
    public var placeholder: String?
    public var isSecureTextEntry = false
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var textContentType: UITextContentType!
}

// Not read: uikit/uitextview
@MainActor open class UITextView: UIView, UITextInputTraits {
    nonisolated public static let textDidBeginEditingNotification = Notification.Name(
        "UITextViewTextDidBeginEditingNotification")
    nonisolated public static let textDidEndEditingNotification = Notification.Name(
        "UITextViewTextDidEndEditingNotification")
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var text: String! = ""
    public var isSecureTextEntry = false
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public var textContentType: UITextContentType!
}

// Not read: uikit/uitableview
@MainActor open class UITableView: UIView {
    package var paths: [ObjectIdentifier: IndexPath] = [:]
    public func indexPath(for cell: UITableViewCell) -> IndexPath? { paths[ObjectIdentifier(cell)] }
}

// Not read: uikit/uitableviewcell
@MainActor open class UITableViewCell: UIView {
    public var isSelected = false
    public var isHighlighted = false
    public var isEditing = false
    public var showingDeleteConfirmation: Bool { false }
    public package(set) var textLabel: UILabel?
}

// Not read: uikit/uicollectionview
@MainActor open class UICollectionView: UIView {
    package var paths: [ObjectIdentifier: IndexPath] = [:]
    public func indexPath(for cell: UICollectionViewCell) -> IndexPath? { paths[ObjectIdentifier(cell)] }
}

// Not read: uikit/uicollectionviewcell
@MainActor open class UICollectionViewCell: UIView {
    public var isSelected = false
}

// https://developer.apple.com/documentation/uikit/uimodalpresentationstyle
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    // https://developer.apple.com/documentation/uikit/uimodalpresentationstyle/popover
    @available(tvOS, unavailable) case popover = 7
}

// Not read: uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {
    open var title: String?
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var view: UIView! = UIView()
    open var presentedViewController: UIViewController? { nil }
    open var children: [UIViewController] { [] }
    open func viewDidAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var tabBarItem: UITabBarItem! = UITabBarItem()
    public var modalPresentationStyle = UIModalPresentationStyle.fullScreen
    public package(set) weak var parent: UIViewController?
    public package(set) weak var presentingViewController: UIViewController?
    public package(set) var isBeingPresented = false
    public package(set) var isBeingDismissed = false
    public package(set) var isMovingToParent = false
    public package(set) var isMovingFromParent = false
    public var navigationController: UINavigationController? { parent as? UINavigationController }
}

// Not read: uikit/uinavigationcontroller
@MainActor open class UINavigationController: UIViewController {
    open var viewControllers: [UIViewController] = [] {
        didSet { for controller in viewControllers { controller.parent = self } }
    }
    public var topViewController: UIViewController? { viewControllers.last }
}

// Not read: uikit/uitabbarcontroller
@MainActor open class UITabBarController: UIViewController {
    open var selectedViewController: UIViewController?
}

// Not read: uikit/uialertcontroller
@MainActor open class UIAlertController: UIViewController {}

// Not read: uikit/uitouch
@MainActor open class UITouch: NSObject {
    public enum Phase: Int, Sendable { case began, moved, stationary, ended, cancelled }
    open var phase: Phase { .ended }
    open var view: UIView? { nil }
    open var gestureRecognizers: [UIGestureRecognizer]? { nil }
    open func location(in view: UIView?) -> CGPoint { .zero }
}

// https://developer.apple.com/documentation/uikit/uigesturerecognizer
@MainActor open class UIGestureRecognizer: NSObject {
    public enum State: Int, Sendable { case possible, began, changed, ended, cancelled, failed }
    open var state: State { .possible }
}
// Not read: uikit/uipangesturerecognizer
@MainActor open class UIPanGestureRecognizer: UIGestureRecognizer {}
// Not read: uikit/uiswipegesturerecognizer
@MainActor open class UISwipeGestureRecognizer: UIGestureRecognizer {}

// Not read: uikit/uievent
@MainActor open class UIEvent: NSObject {
    public enum EventType: Int, Sendable { case touches, motion, remoteControl, presses }
    open var type: EventType { .touches }
    open var allTouches: Set<UITouch>? { nil }
}

// Not read: uikit/uitabbaritem
@MainActor open class UITabBarItem: NSObject {
    open var title: String?
}

// Not read: uikit/uitabbar
@MainActor open class UITabBar: UIView {}

// Not read: uikit/uitabbardelegate
@MainActor public protocol UITabBarDelegate: NSObjectProtocol {
    func tabBar(_ tabBar: UITabBar, didSelect item: UITabBarItem)
}
