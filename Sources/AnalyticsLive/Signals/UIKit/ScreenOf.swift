#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The screen of a view controller.
@MainActor
enum ScreenOf {
    /// The name of its class, without module and "ViewController"; nil for a controller that only holds others, and for
    /// UIKit's own helpers, whose names mean nothing to an app.
    static func name(_ controller: UIViewController) -> String? {
        if controller is UINavigationController || controller is UITabBarController { return nil }
        if controller is UIAlertController { return controller.title ?? "Alert" }
        let type = "\(type(of: controller))"
        // A screen of SwiftUI: its view's type says more.
        if type.hasPrefix("UIHostingController<") {
            return ScreenNaming.name(ofType: String(type.dropFirst("UIHostingController<".count).dropLast()))
        }
        let name = ScreenNaming.name(ofType: type)
        if name.hasPrefix("_") || (name.hasPrefix("UI") && name != "UIViewController") { return nil }
        guard name.hasSuffix("ViewController"), name.count > "ViewController".count, name != "UIViewController" else {
            return name == "UIViewController" ? controller.title : name
        }
        return String(name.dropLast("ViewController".count))
    }

    /// The one that a controller shows: the top of a stack, the selected tab.
    static func shown(by controller: UIViewController) -> UIViewController {
        var shown = controller
        // No app nests them deeper; a circle would have no end.
        for _ in 0..<16 {
            let inner =
                (shown as? UINavigationController)?.topViewController
                ?? (shown as? UITabBarController)?.selectedViewController
            guard let inner else { return shown }
            shown = inner
        }
        return shown
    }

    /// The screen over which a controller is just being presented, alone or within a container.
    static func presenter(of controller: UIViewController) -> String? {
        guard let shown = chain(controller).first(where: { $0.isBeingPresented }) else { return nil }
        return shown.presentingViewController.map(self.shown).flatMap(name) ?? "Unknown"
    }

    /// The screen upon which a controller was just pushed.
    static func below(_ controller: UIViewController) -> String? {
        guard controller.isMovingToParent, let stack = controller.navigationController?.viewControllers,
            let place = stack.firstIndex(where: { $0 === controller }), place > 0
        else { return nil }
        return name(stack[place - 1]) ?? "Unknown"
    }

    static func isBeingDismissed(_ controller: UIViewController) -> Bool {
        chain(controller).contains { $0.isBeingDismissed }
    }

    /// Whether it covers the screen in part and for a moment.
    static func isPopup(_ controller: UIViewController) -> Bool {
        if controller is UIAlertController { return true }
        #if os(tvOS)
        return false  // which has no popovers
        #else
        return chain(controller).contains { $0.modalPresentationStyle == .popover }
        #endif
    }

    /// A controller and those that hold it.
    private static func chain(_ controller: UIViewController) -> [UIViewController] {
        var chain = [controller]
        while chain.count < 16, let parent = chain.last?.parent { chain.append(parent) }
        return chain
    }
}
#endif
