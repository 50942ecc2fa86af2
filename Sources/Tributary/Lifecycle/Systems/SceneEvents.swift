#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// For plugins that observe the app's scenes; an app may have several. Every function is optional.
///
/// The functions are called on the main thread.
public protocol SceneEvents {
    /// A scene is connected to the app. The user will see it soon.
    @MainActor func sceneWillConnect(_ scene: UIScene)
    /// The system has disconnected a scene.
    @MainActor func sceneDidDisconnect(_ scene: UIScene)
    /// The user can act in a scene.
    @MainActor func sceneDidBecomeActive(_ scene: UIScene)
    /// The user can no longer act in a scene.
    @MainActor func sceneWillResignActive(_ scene: UIScene)
    /// A scene is about to come to the foreground.
    @MainActor func sceneWillEnterForeground(_ scene: UIScene)
    /// A scene is in the background.
    @MainActor func sceneDidEnterBackground(_ scene: UIScene)
}

extension SceneEvents {
    public func sceneWillConnect(_ scene: UIScene) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
}

extension Analytics {
    /// Reports the addresses and links that a scene was opened with. Call it in `scene(_:willConnectTo:options:)`.
    @MainActor public func openScene(_ options: UIScene.ConnectionOptions) {
        openURLContexts(options.urlContexts)
        #if canImport(Darwin)
        for activity in options.userActivities { continueUserActivity(activity) }
        #endif
    }

    /// Reports the addresses that a scene is opened with. Call it in `scene(_:openURLContexts:)`.
    @MainActor public func openURLContexts(_ contexts: Set<UIOpenURLContext>) {
        for context in contexts {
            openURL(
                context.url,
                options: context.options.sourceApplication.map { ["referring_application": $0] } ?? [:])
        }
    }
}
#endif
