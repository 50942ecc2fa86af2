#if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
import ObjectiveC
import UIKit

/// Replaces methods of UIKit for the life of the process. Each replacement calls the original, and informs the captures
/// that are on.
///
/// Only methods that UIKit documents are replaced. Ours are dynamic, because a direct call by the compiler would call
/// itself for ever.
@MainActor
enum UIKitHooks {
    private static var isInstalled = false

    static func installOnce() {
        guard !isInstalled else { return }
        isInstalled = true
        MethodExchange.exchange(
            UIApplication.self, #selector(UIApplication.sendEvent(_:)),
            with: #selector(UIApplication.tributary_send(_:)))
        MethodExchange.exchange(
            UIViewController.self, #selector(UIViewController.viewDidAppear(_:)),
            with: #selector(UIViewController.tributary_signalAppeared(_:)))
        MethodExchange.exchange(
            UIViewController.self, #selector(UIViewController.viewDidDisappear(_:)),
            with: #selector(UIViewController.tributary_signalDisappeared(_:)))
        MethodExchange.exchange(
            UITabBarController.self, #selector((any UITabBarDelegate).tabBar(_:didSelect:)),
            with: #selector(UITabBarController.tributary_tabBar(_:didSelect:)))
    }

    private static var watch = TapWatch<ObjectIdentifier>()

    /// Whether a touch was a tap, which has ended just now.
    fileprivate static func isTap(_ touch: UITouch) -> Bool {
        let phase: TapWatch<ObjectIdentifier>.Phase =
            switch touch.phase {
            case .began: .began
            case .ended: .ended
            case .cancelled: .cancelled
            default: .other
            }
        guard phase != .other else { return false }
        let place = touch.location(in: nil)
        let isPanning = (touch.gestureRecognizers ?? []).contains { recognizer in
            let hasBegun = [.began, .changed, .ended].contains(recognizer.state)
            return hasBegun && (recognizer is UIPanGestureRecognizer || recognizer is UISwipeGestureRecognizer)
        }
        return watch.take(
            ObjectIdentifier(touch), phase, x: Double(place.x), y: Double(place.y), isPanning: isPanning)
    }
}

extension UIApplication {
    @objc dynamic fileprivate func tributary_send(_ event: UIEvent) {
        // Read first, because the signal has to come before what the app does in the tap, and the view may be gone
        // afterwards.
        if event.type == .touches {
            for touch in event.allTouches ?? [] where UIKitHooks.isTap(touch) {
                UIKitCapture.each { $0.tapped(touch.view) }
            }
        }
        tributary_send(event)
    }
}

extension UIViewController {
    @objc dynamic fileprivate func tributary_signalAppeared(_ animated: Bool) {
        tributary_signalAppeared(animated)
        UIKitCapture.each { $0.appeared(self) }
    }

    @objc dynamic fileprivate func tributary_signalDisappeared(_ animated: Bool) {
        tributary_signalDisappeared(animated)
        UIKitCapture.each { $0.disappeared(self) }
    }
}

extension UITabBarController {
    @objc dynamic fileprivate func tributary_tabBar(_ bar: UITabBar, didSelect item: UITabBarItem) {
        UIKitCapture.each { $0.chose(item, in: self) }
        tributary_tabBar(bar, didSelect: item)
    }
}
#endif
