// WatchKit, as far as the client uses it.
@_exported public import AppleFoundation
@_exported public import Foundation

@MainActor public final class WKExtension {
    private static let instance = WKExtension()
    public static func shared() -> WKExtension { instance }

    nonisolated public static let applicationDidFinishLaunchingNotification = Notification.Name(
        "WKApplicationDidFinishLaunchingNotification")
    nonisolated public static let applicationDidBecomeActiveNotification = Notification.Name(
        "WKApplicationDidBecomeActiveNotification")
    nonisolated public static let applicationWillResignActiveNotification = Notification.Name(
        "WKApplicationWillResignActiveNotification")
    nonisolated public static let applicationWillEnterForegroundNotification = Notification.Name(
        "WKApplicationWillEnterForegroundNotification")
    nonisolated public static let applicationDidEnterBackgroundNotification = Notification.Name(
        "WKApplicationDidEnterBackgroundNotification")
}

@MainActor public final class WKInterfaceDevice {
    private static let device = WKInterfaceDevice()
    public static func current() -> WKInterfaceDevice { device }
    // https://developer.apple.com/documentation/watchkit/wkinterfacedevice/model
    public var name = "Apple Watch"
    public var model = "Apple Watch"
    public var screenBounds = CGRect(x: 0, y: 0, width: 198, height: 242)
    public var screenScale: CGFloat = 2
}
