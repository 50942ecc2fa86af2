#if canImport(UIKit) && !os(watchOS)
public import UIKit

/// For plugins that observe the app's lifecycle on iOS, tvOS and visionOS; every function is optional.
///
/// The functions are called on the thread on which the system reports the step: the main thread. Events are processed
/// on another thread, so a plugin that uses the same state in both needs a lock.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public protocol iOSLifecycleEvents {
    /// The app was started.
    func application(
        _ application: UIApplication?,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?)
    /// The app is in the background.
    func applicationDidEnterBackground(application: UIApplication?)
    /// The app is about to come to the foreground.
    func applicationWillEnterForeground(application: UIApplication?)
    /// The user can act in the app.
    func applicationDidBecomeActive(application: UIApplication?)
    /// The user can no longer act in the app.
    func applicationWillResignActive(application: UIApplication?)
    /// The system is short of memory.
    func applicationDidReceiveMemoryWarning(application: UIApplication?)
    /// The app is about to end.
    func applicationWillTerminate(application: UIApplication?)
    /// The time changed by much, for instance at midnight or with another time zone.
    func applicationSignificantTimeChange(application: UIApplication?)
}

/// The name of this protocol in analytics-swift.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias iOSLifecycle = iOSLifecycleEvents

extension iOSLifecycleEvents {
    public func application(
        _ application: UIApplication?,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) {}
    public func applicationDidEnterBackground(application: UIApplication?) {}
    public func applicationWillEnterForeground(application: UIApplication?) {}
    public func applicationDidBecomeActive(application: UIApplication?) {}
    public func applicationWillResignActive(application: UIApplication?) {}
    public func applicationDidReceiveMemoryWarning(application: UIApplication?) {}
    public func applicationWillTerminate(application: UIApplication?) {}
    public func applicationSignificantTimeChange(application: UIApplication?) {}
}
#endif
