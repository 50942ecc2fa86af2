#if canImport(AppKit) && !targetEnvironment(macCatalyst)
/// For plugins that observe the app's lifecycle on macOS; every function is optional.
///
/// The functions are called on the thread on which the system reports the step: the main thread. Events are processed
/// on another thread, so a plugin that uses the same state in both needs a lock.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public protocol macOSLifecycleEvents {
    /// The app is about to finish its start.
    func applicationWillFinishLaunching()
    /// The app was started.
    func application(didFinishLaunchingWithOptions launchOptions: [String: Any]?)
    /// The app is about to become the active one.
    func applicationWillBecomeActive()
    /// The app became the active one.
    func applicationDidBecomeActive()
    /// Another app is about to become the active one.
    func applicationWillResignActive()
    /// The app is no longer the active one.
    func applicationDidResignActive()
    /// The app is about to be hidden.
    func applicationWillHide()
    /// The app is hidden.
    func applicationDidHide()
    /// The app is about to be shown again.
    func applicationWillUnhide()
    /// The app is no longer hidden.
    func applicationDidUnhide()
    /// The app's windows are about to be updated.
    func applicationWillUpdate()
    /// The app's windows were updated.
    func applicationDidUpdate()
    /// Screens were added, removed or changed.
    func applicationDidChangeScreenParameters()
    /// The app is about to end.
    func applicationWillTerminate()
}

/// The name of this protocol in analytics-swift.
// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias macOSLifecycle = macOSLifecycleEvents

extension macOSLifecycleEvents {
    public func applicationWillFinishLaunching() {}
    public func application(didFinishLaunchingWithOptions launchOptions: [String: Any]?) {}
    public func applicationWillBecomeActive() {}
    public func applicationDidBecomeActive() {}
    public func applicationWillResignActive() {}
    public func applicationDidResignActive() {}
    public func applicationWillHide() {}
    public func applicationDidHide() {}
    public func applicationWillUnhide() {}
    public func applicationDidUnhide() {}
    public func applicationWillUpdate() {}
    public func applicationDidUpdate() {}
    public func applicationDidChangeScreenParameters() {}
    public func applicationWillTerminate() {}
}
#endif
