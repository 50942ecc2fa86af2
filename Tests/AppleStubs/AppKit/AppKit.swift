// AppKit, as far as the client uses it.
@_exported public import AppleFoundation
@_exported public import Foundation

@MainActor open class NSApplication {
    public init() {}
    nonisolated public static let didFinishLaunchingNotification = Notification.Name(
        "NSApplicationDidFinishLaunchingNotification")
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "NSApplicationDidBecomeActiveNotification")
    nonisolated public static let didResignActiveNotification = Notification.Name(
        "NSApplicationDidResignActiveNotification")
    nonisolated public static let didHideNotification = Notification.Name("NSApplicationDidHideNotification")
    nonisolated public static let didUnhideNotification = Notification.Name("NSApplicationDidUnhideNotification")
    nonisolated public static let didUpdateNotification = Notification.Name("NSApplicationDidUpdateNotification")
    nonisolated public static let didChangeScreenParametersNotification = Notification.Name(
        "NSApplicationDidChangeScreenParametersNotification")
    nonisolated public static let willFinishLaunchingNotification = Notification.Name(
        "NSApplicationWillFinishLaunchingNotification")
    nonisolated public static let willBecomeActiveNotification = Notification.Name(
        "NSApplicationWillBecomeActiveNotification")
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "NSApplicationWillResignActiveNotification")
    nonisolated public static let willHideNotification = Notification.Name("NSApplicationWillHideNotification")
    nonisolated public static let willUnhideNotification = Notification.Name("NSApplicationWillUnhideNotification")
    nonisolated public static let willUpdateNotification = Notification.Name("NSApplicationWillUpdateNotification")
    nonisolated public static let willTerminateNotification = Notification.Name(
        "NSApplicationWillTerminateNotification")
}

@MainActor public final class NSScreen {
    public static var main: NSScreen? { NSScreen() }
    public var frame = CGRect(x: 0, y: 0, width: 1512, height: 982)
    public var backingScaleFactor: CGFloat = 2
}
