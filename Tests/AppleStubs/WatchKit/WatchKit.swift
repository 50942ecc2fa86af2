// WatchKit, as far as the client uses it.
@_exported public import AppleFoundation
@_exported public import Foundation

// https://developer.apple.com/documentation/watchkit/wkextension/applicationdidbecomeactivenotification
// https://developer.apple.com/documentation/watchkit/wkextension/applicationwillresignactivenotification
// Its names of notifications belong to the main actor, and are deprecated.
@MainActor public final class WKExtension {
    private static let instance = WKExtension()
    public static func shared() -> WKExtension { instance }

    @available(watchOS, introduced: 7.0, deprecated: 9.2)
    @preconcurrency public static var applicationDidBecomeActiveNotification: Notification.Name {
        WKApplication.didBecomeActiveNotification
    }
}

// https://developer.apple.com/documentation/watchkit/wkapplication
// https://developer.apple.com/documentation/watchkit/wkapplication/willresignactivenotification
// Not read: the pages of the other names, which stand beside it.
@available(watchOS 7.0, *)
@MainActor public final class WKApplication {
    public static let didFinishLaunchingNotification = Notification.Name("WKApplicationDidFinishLaunchingNotification")
    public static let didBecomeActiveNotification = Notification.Name("WKApplicationDidBecomeActiveNotification")
    public static let willResignActiveNotification = Notification.Name("WKApplicationWillResignActiveNotification")
    public static let willEnterForegroundNotification = Notification.Name(
        "WKApplicationWillEnterForegroundNotification")
    public static let didEnterBackgroundNotification = Notification.Name("WKApplicationDidEnterBackgroundNotification")
}

// https://developer.apple.com/documentation/watchkit/wkinterfacedevice
// https://developer.apple.com/documentation/watchkit/wkinterfacedevice/current()
// The page does not name an actor; this is the stricter reading.
@available(watchOS 2.0, *)
@MainActor public final class WKInterfaceDevice {
    private static let device = WKInterfaceDevice()
    public static func current() -> WKInterfaceDevice { device }
    // https://developer.apple.com/documentation/watchkit/wkinterfacedevice/model
    public package(set) var name = "Apple Watch"
    public package(set) var model = "Apple Watch"
    public package(set) var screenBounds = CGRect(x: 0, y: 0, width: 198, height: 242)
    public package(set) var screenScale: CGFloat = 2
}
