#if canImport(WatchKit) && !os(iOS)
public import WatchKit

/// For plugins that observe the app's lifecycle on watchOS; every function is optional.
///
/// The functions are called on the thread on which the system reports the step: the main thread. Events are processed
/// on another thread, so a plugin that uses the same state in both needs a lock.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public protocol watchOSLifecycleEvents {
    /// The app was started.
    func applicationDidFinishLaunching(watchExtension: WKExtension?)
    /// The app is about to come to the foreground.
    func applicationWillEnterForeground(watchExtension: WKExtension?)
    /// The app is in the background.
    func applicationDidEnterBackground(watchExtension: WKExtension?)
    /// The user can act in the app.
    func applicationDidBecomeActive(watchExtension: WKExtension?)
    /// The user can no longer act in the app.
    func applicationWillResignActive(watchExtension: WKExtension?)
}

/// The name of this protocol in analytics-swift.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias watchOSLifecycle = watchOSLifecycleEvents

extension watchOSLifecycleEvents {
    public func applicationDidFinishLaunching(watchExtension: WKExtension?) {}
    public func applicationWillEnterForeground(watchExtension: WKExtension?) {}
    public func applicationDidEnterBackground(watchExtension: WKExtension?) {}
    public func applicationDidBecomeActive(watchExtension: WKExtension?) {}
    public func applicationWillResignActive(watchExtension: WKExtension?) {}
}
#endif
