#if canImport(UIKit) && !os(watchOS)
import UIKit

/// The screen of a view controller.
@MainActor
enum ScreenOf {
    /// The name of its class, without module and "ViewController". Nil for a controller that only contains others, and
    /// for UIKit's own helpers, with names that mean nothing to an app.
    static func name(_ controller: UIViewController) -> String? {
        if controller is UINavigationController || controller is UITabBarController { return nil }
        if controller is UIAlertController { return controller.title ?? "Alert" }
        let type = "\(type(of: controller))"
        // A screen of SwiftUI: the type of its view is more informative.
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

    /// The controller that a controller shows: the top of a stack, or the selected tab.
    static func shown(by controller: UIViewController) -> UIViewController {
        var shown = controller
        // No app nests them deeper, and a cycle would have no end.
        for _ in 0..<16 {
            let inner =
                (shown as? UINavigationController)?.topViewController
                ?? (shown as? UITabBarController)?.selectedViewController
            guard let inner else { return shown }
            shown = inner
        }
        return shown
    }

    /// The screen over which a controller is being presented, alone or within a container.
    static func presenter(of controller: UIViewController) -> String? {
        guard let shown = chain(controller).first(where: { $0.isBeingPresented }) else { return nil }
        return shown.presentingViewController.map(self.shown).flatMap(name) ?? "Unknown"
    }

    /// The screen on which a controller was just pushed.
    static func below(_ controller: UIViewController) -> String? {
        guard controller.isMovingToParent, let stack = controller.navigationController?.viewControllers,
            let place = stack.firstIndex(where: { $0 === controller }), place > 0
        else { return nil }
        return name(stack[place - 1]) ?? "Unknown"
    }

    static func isBeingDismissed(_ controller: UIViewController) -> Bool {
        chain(controller).contains { $0.isBeingDismissed }
    }

    /// Whether it covers only a part of the screen, for a short time.
    static func isPopup(_ controller: UIViewController) -> Bool {
        if controller is UIAlertController { return true }
        #if os(tvOS)
        return false  // this system has no popovers
        #else
        return chain(controller).contains { $0.modalPresentationStyle == .popover }
        #endif
    }

    /// The tab bar controller that a controller is in.
    static func tabs(of controller: UIViewController) -> UITabBarController? {
        chain(controller).dropFirst().lazy.compactMap { $0 as? UITabBarController }.first
    }

    /// A controller and its parents.
    private static func chain(_ controller: UIViewController) -> [UIViewController] {
        var chain = [controller]
        while chain.count < 16, let parent = chain.last?.parent { chain.append(parent) }
        return chain
    }
}
#endif
