#if canImport(UIKit) && canImport(ObjectiveC) && !os(watchOS)
import ObjectiveC
import UIKit

/// Reports each view controller that appears to clients: it replaces `viewDidAppear` for the life of the process.
///
/// Unchecked because what changes is behind the lock.
enum ScreenRecorder {
    private struct State {
        var isInstalled = false
        var clients: [() -> Analytics?] = []
    }

    // Only accessed under its lock.
    private static let state = LockBox(State())

    static func record(for client: Analytics) {
        let isFirst = state.withLock { state in
            state.clients.append { [weak client] in client }
            defer { state.isInstalled = true }
            return !state.isInstalled
        }
        guard isFirst,
            let original = class_getInstanceMethod(
                UIViewController.self, #selector(UIViewController.viewDidAppear(_:))),
            let recording = class_getInstanceMethod(
                UIViewController.self, #selector(UIViewController.tributary_viewDidAppear(_:)))
        else { return }
        method_exchangeImplementations(original, recording)
    }

    @MainActor
    static func appeared(_ controller: UIViewController) {
        let clients = state.withLock { $0.clients }.compactMap { $0() }
        guard !clients.isEmpty, let root = controller.view.window?.rootViewController else { return }
        let top = tree.top(of: root)
        let name = ScreenName.of(className: String(describing: type(of: top)), title: top.title)
        if let reporting = top as? any SEGScreenReporting { return reporting.seg_trackScreen(top, name: name) }
        for client in clients { client.screen(name) }
    }

    @MainActor
    private static var tree: ScreenTree<UIViewController> {
        ScreenTree(
            presented: { $0.presentedViewController },
            stackTop: { ($0 as? UINavigationController)?.viewControllers.last },
            selectedTab: { ($0 as? UITabBarController)?.selectedViewController },
            main: { ($0 as? any SEGScreenReporting)?.seg_mainViewController },
            firstChild: { $0.children.first })
    }
}

extension UIViewController {
    /// Replaces `viewDidAppear`, whose original code has this name meanwhile. It is dynamic, because a direct call by
    /// the compiler would call this function for ever.
    @objc dynamic fileprivate func tributary_viewDidAppear(_ animated: Bool) {
        tributary_viewDidAppear(animated)
        ScreenRecorder.appeared(self)
    }
}
#endif
