// AppKit, as far as the client uses it.
@_exported public import AppleFoundation
@_exported public import Foundation

// https://developer.apple.com/documentation/appkit/nsapplication/didbecomeactivenotification: a `class let` that its page does not call nonisolated, as UIKit's are.
// Not read: the pages of the other names, which stand beside it.
@MainActor open class NSApplication {
    public init() {}
    public static let didFinishLaunchingNotification = Notification.Name("NSApplicationDidFinishLaunchingNotification")
    public static let didBecomeActiveNotification = Notification.Name("NSApplicationDidBecomeActiveNotification")
    public static let didResignActiveNotification = Notification.Name("NSApplicationDidResignActiveNotification")
    public static let didHideNotification = Notification.Name("NSApplicationDidHideNotification")
    public static let didUnhideNotification = Notification.Name("NSApplicationDidUnhideNotification")
    public static let didUpdateNotification = Notification.Name("NSApplicationDidUpdateNotification")
    public static let didChangeScreenParametersNotification = Notification.Name(
        "NSApplicationDidChangeScreenParametersNotification")
    public static let willFinishLaunchingNotification = Notification.Name(
        "NSApplicationWillFinishLaunchingNotification")
    public static let willBecomeActiveNotification = Notification.Name("NSApplicationWillBecomeActiveNotification")
    public static let willResignActiveNotification = Notification.Name("NSApplicationWillResignActiveNotification")
    public static let willHideNotification = Notification.Name("NSApplicationWillHideNotification")
    public static let willUnhideNotification = Notification.Name("NSApplicationWillUnhideNotification")
    public static let willUpdateNotification = Notification.Name("NSApplicationWillUpdateNotification")
    public static let willTerminateNotification = Notification.Name("NSApplicationWillTerminateNotification")
}

// Not read: appkit/nsscreen
@MainActor public final class NSScreen {
    public static var main: NSScreen? { NSScreen() }
    public package(set) var frame = CGRect(x: 0, y: 0, width: 1512, height: 982)
    public package(set) var backingScaleFactor: CGFloat = 2
}
