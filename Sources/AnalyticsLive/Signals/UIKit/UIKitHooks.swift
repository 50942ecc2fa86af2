#if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
import ObjectiveC
import UIKit

/// Stands in the place of UIKit's own methods, for good: each calls the original, and tells the captures that are on.
///
/// Only methods that UIKit documents are exchanged. Ours are dynamic, because a call that the compiler made direct would come
/// back to itself for ever.
@MainActor
enum UIKitHooks {
    private static var isInstalled = false

    static func installOnce() {
        guard !isInstalled else { return }
        isInstalled = true
        exchange(
            UIApplication.self, #selector(UIApplication.sendEvent(_:)), #selector(UIApplication.tributary_send(_:)))
        exchange(
            UIViewController.self, #selector(UIViewController.viewDidAppear(_:)),
            #selector(UIViewController.tributary_signalAppeared(_:)))
        exchange(
            UIViewController.self, #selector(UIViewController.viewDidDisappear(_:)),
            #selector(UIViewController.tributary_signalDisappeared(_:)))
        exchange(
            UITabBarController.self, #selector(UITabBarDelegate.tabBar(_:didSelect:)),
            #selector(UITabBarController.tributary_tabBar(_:didSelect:)))
    }

    private static func exchange(_ type: AnyClass, _ original: Selector, _ own: Selector) {
        guard let first = class_getInstanceMethod(type, original), let second = class_getInstanceMethod(type, own)
        else {
            return
        }
        method_exchangeImplementations(first, second)
    }
}

extension UIApplication {
    @objc dynamic fileprivate func tributary_send(_ event: UIEvent) {
        // Looked at first: what the app does in the tap comes after the signal, and the view may be gone then.
        if event.type == .touches, let touch = event.allTouches?.first, touch.phase == .ended {
            UIKitCapture.each { $0.tapped(touch.view) }
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
        let former = selectedViewController?.tabBarItem.title
        UIKitCapture.each { $0.selected(item.title ?? "Tab", after: former) }
        tributary_tabBar(bar, didSelect: item)
    }
}
#endif
