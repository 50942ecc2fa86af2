#if canImport(UIKit) && !os(watchOS)
import Foundation
import Tributary
import TributaryJSON
import UIKit

/// The automatic capture of UIKit: it turns what UIKit's classes do in the app into signals.
///
/// `UIKitHooks` calls it from its replacements of UIKit's methods, which needs Objective-C. Notifications need no
/// replacement.
@MainActor
final class UIKitCapture {
    /// The receiver of the signals.
    private weak var signals: Signals?
    private let center: NotificationCenter
    private var observers: [any NSObjectProtocol] = []
    /// The screen that appeared last.
    private var screen: String?
    /// The screen that was removed from its stack, until the screen below it appears.
    private var left: String?
    /// The screens below the controllers that were presented and are still there.
    private var presenters: [ObjectIdentifier: String] = [:]

    /// The tabs that are shown.
    private var tabs = TabTrail<ObjectIdentifier>()

    private static let captures = LockBox<[ObjectIdentifier: UIKitCapture]>([:])

    init(_ signals: Signals, center: NotificationCenter = .default) {
        self.signals = signals
        self.center = center
    }

    /// Begins or ends the capture for these signals, on the main thread.
    nonisolated static func use(_ isUsed: Bool, for signals: Signals) {
        DispatchQueue.main.async { [weak signals] in
            guard let signals else { return }
            MainActor.assumeIsolated { set(isUsed, for: signals) }
        }
    }

    private static func set(_ isUsed: Bool, for signals: Signals) {
        let id = ObjectIdentifier(signals)
        let former = captures.withLock { captures in
            defer { if !isUsed { captures[id] = nil } }
            return captures[id]
        }
        guard isUsed else { return former?.stop() ?? () }
        guard former == nil else { return }
        let capture = UIKitCapture(signals)
        captures.withLock { $0[id] = capture }
        capture.start()
        #if canImport(ObjectiveC)
        UIKitHooks.installOnce()
        #endif
    }

    /// Every capture that is on.
    static func each(_ report: (UIKitCapture) -> Void) {
        for capture in captures.withLock({ $0 }).values { report(capture) }
    }

    // MARK: Text

    /// Begins to observe text fields.
    func start() {
        observe(UITextField.textDidBeginEditingNotification) { $0.edited($1, isFocused: true) }
        observe(UITextField.textDidEndEditingNotification) { $0.edited($1, isFocused: false) }
        observe(UITextView.textDidBeginEditingNotification) { $0.edited($1, isFocused: true) }
        observe(UITextView.textDidEndEditingNotification) { $0.edited($1, isFocused: false) }
    }

    func stop() {
        for observer in observers { center.removeObserver(observer) }
        observers = []
    }

    private func observe(_ name: Notification.Name, _ take: @escaping @MainActor (UIKitCapture, UIView) -> Void) {
        let observer = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
            // UIKit posts these on the main thread. A notification that an app posts elsewhere is ignored.
            guard MainQueue.isCurrent, let view = notification.object as? UIView else { return }
            let handed = Handed(view)
            MainActor.assumeIsolated { self.map { take($0, handed.value) } }
        }
        observers.append(observer)
    }

    private func edited(_ view: UIView, isFocused: Bool) {
        guard let input = TextInput(view), let signals else { return }
        emit(input.data(isFocused: isFocused, withText: signals.includesTypedText))
    }

    // MARK: Taps

    /// A touch ended on this view.
    func tapped(_ view: UIView?) { emit(view.flatMap(Tap.init)?.data) }

    // MARK: Navigation

    /// A controller has appeared: after a push, a presentation, a step back, or for the first time.
    func appeared(_ controller: UIViewController) {
        showTab(of: controller)
        guard let name = ScreenOf.name(controller) else { return }
        if let presenter = ScreenOf.presenter(of: controller) {
            presenters[ObjectIdentifier(controller)] = presenter
            emit(.init(action: ScreenOf.isPopup(controller) ? .popup : .modal, screen: name, previousScreen: presenter))
        } else if let below = ScreenOf.below(controller) {
            emit(.init(action: .forward, screen: name, previousScreen: below))
        } else if let left {
            emit(.init(action: .backward, screen: name, previousScreen: left))
        }
        left = nil
        emit(.init(action: .entering, screen: name, previousScreen: screen))
        screen = name
    }

    /// A controller has disappeared: removed, or covered by another one.
    func disappeared(_ controller: UIViewController) {
        guard let name = ScreenOf.name(controller) else { return }
        let presenter = presenters.removeValue(forKey: ObjectIdentifier(controller))
        emit(.init(action: .leaving, screen: name))
        if ScreenOf.isBeingDismissed(controller), let presenter {
            // The screen below a sheet has never disappeared, so it does not appear again.
            emit(.init(action: .backward, screen: presenter, previousScreen: name))
            screen = presenter
        } else if controller.isMovingFromParent {
            left = name
        }
    }

    /// The user chose a tab in the tab bar of a controller, which still shows the tab before.
    func chose(_ item: UITabBarItem, in controller: UITabBarController) {
        let former = controller.selectedViewController.map { Self.title(of: $0.tabBarItem) }
        let tab = Self.title(of: item)
        if let former = tabs.shows(tab, after: former, in: ObjectIdentifier(controller)) {
            selected(tab, after: former)
        }
    }

    /// A controller has appeared: where it is the content of a tab, that tab is shown.
    private func showTab(of controller: UIViewController) {
        guard let bar = ScreenOf.tabs(of: controller), let shown = bar.selectedViewController else { return }
        let tab = Self.title(of: shown.tabBarItem)
        if let former = tabs.shows(tab, in: ObjectIdentifier(bar)) { selected(tab, after: former) }
    }

    private static func title(of item: UITabBarItem?) -> String { item?.title ?? "Tab" }

    func selected(_ tab: String, after former: String) {
        emit(NavigationData(action: .page, screen: tab, previousScreen: former))
        emit(
            InteractionData(
                component: "TabView",
                data: ["action": "tabSelected", "selectedTab": .string(tab), "previousTab": .string(former)]))
    }

    // MARK: Emitting

    private func emit(_ data: InteractionData?) {
        guard let data, let signals, signals.takes(.autoUIKit) else { return }
        signals.emit(signal: InteractionSignal(data: data), source: .autoUIKit)
    }

    private func emit(_ data: NavigationData) {
        guard let signals, signals.takes(.autoUIKit) else { return }
        signals.emit(signal: NavigationSignal(data: data), source: .autoUIKit)
    }
}
#endif
