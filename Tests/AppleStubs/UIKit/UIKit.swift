// UIKit, as far as the client uses it: what it tells can be set by tests (`package`), which post its notifications.
@_exported public import AppleFoundation
@_exported public import Foundation

// Not read: uikit/uiresponder
@MainActor open class UIResponder: NSObject {
    nonisolated public override init() {}
}

// Not read: the page of each name of a notification; those of UIScene are nonisolated, and so these are here.
@MainActor open class UIApplication: UIResponder {
    public struct LaunchOptionsKey: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        public static let sourceApplication = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/state
    public enum State: Int, Sendable {
        case active, inactive, background
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/applicationstate
    public package(set) var applicationState = State.active

    nonisolated public static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    nonisolated public static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
    nonisolated public static let significantTimeChangeNotification = Notification.Name(
        "UIApplicationSignificantTimeChangeNotification")

    // https://developer.apple.com/documentation/uikit/uiapplication/protecteddatadidbecomeavailablenotification
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable")

    // https://developer.apple.com/documentation/uikit/uiapplication/connectedscenes
    public package(set) var connectedScenes: Set<UIScene> = []

    // Not read: uikit/uiapplication/sendevent(_:)
    open func sendEvent(_ event: UIEvent) {}
}

// Not read: uikit/uidevice itself; two of its properties were.
@MainActor public final class UIDevice {
    public static let current = UIDevice()
    // https://developer.apple.com/documentation/uikit/uidevice/name
    public package(set) var name = "iPhone"
    // https://developer.apple.com/documentation/uikit/uidevice/model
    public package(set) var model = "iPhone"
    public package(set) var identifierForVendor: UUID?
}

// https://developer.apple.com/documentation/uikit/uiscene
@MainActor open class UIScene: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiscene/connectionoptions
    @MainActor open class ConnectionOptions: NSObject {
        public package(set) var urlContexts: Set<UIOpenURLContext> = []
        #if canImport(Darwin)
        public package(set) var userActivities: Set<NSUserActivity> = []
        #endif
    }

    // https://developer.apple.com/documentation/uikit/uiscene/openurloptions
    @MainActor open class OpenURLOptions: NSObject {
        public package(set) var sourceApplication: String?
    }

    // https://developer.apple.com/documentation/uikit/uiscene/willconnectnotification
    nonisolated public static let willConnectNotification = Notification.Name("UISceneWillConnectNotification")
    nonisolated public static let didDisconnectNotification = Notification.Name("UISceneDidDisconnectNotification")
    nonisolated public static let didActivateNotification = Notification.Name("UISceneDidActivateNotification")
    nonisolated public static let willDeactivateNotification = Notification.Name(
        "UISceneWillDeactivateNotification")
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UISceneWillEnterForegroundNotification")
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UISceneDidEnterBackgroundNotification")
}

// https://developer.apple.com/documentation/uikit/uiopenurlcontext
@MainActor open class UIOpenURLContext: NSObject {
    public package(set) var url: URL
    public package(set) var options = UIScene.OpenURLOptions()
    package init(url: URL) { self.url = url }
}

// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {
    // https://developer.apple.com/documentation/uikit/uiwindowscene/screen
    @available(visionOS, unavailable)
    open var screen: UIScreen { UIScreen() }
    // https://developer.apple.com/documentation/uikit/uiwindow/init(windowscene:), which names it
    open var windows: [UIWindow] { [] }
}

// https://developer.apple.com/documentation/uikit/uitraitcollection, https://developer.apple.com/documentation/uikit/uitraitcollection/displayscale
open class UITraitCollection: NSObject {
    open var displayScale: CGFloat { 2 }
}

// https://developer.apple.com/documentation/uikit/uiscreen
// https://developer.apple.com/documentation/uikit/uiscreen/main
@available(visionOS, unavailable)
@MainActor public final class UIScreen {
    @available(iOS, introduced: 2.0, deprecated: 26.0)
    @available(tvOS, introduced: 9.0, deprecated: 26.0)
    public static let main = UIScreen()
    public package(set) var bounds = CGRect(x: 0, y: 0, width: 390, height: 844)
    public package(set) var scale: CGFloat = 3
}
