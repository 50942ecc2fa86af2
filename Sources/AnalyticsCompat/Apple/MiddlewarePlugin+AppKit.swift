#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit

// As analytics-ios has it: resigning is the background, becoming active the foreground.
extension MiddlewarePlugin: macOSLifecycleEvents {
    func application(didFinishLaunchingWithOptions launchOptions: [String: Any]?) {
        happened(
            .didFinishLaunching, name: NSApplication.didFinishLaunchingNotification.rawValue,
            launchOptions: launchOptions)
    }

    func applicationDidResignActive() {
        happened(.didEnterBackground, name: NSApplication.didResignActiveNotification.rawValue)
        enteredBackground()
    }

    func applicationWillBecomeActive() {
        happened(.willEnterForeground, name: NSApplication.willBecomeActiveNotification.rawValue)
    }

    func applicationWillTerminate() {
        happened(.willTerminate, name: NSApplication.willTerminateNotification.rawValue)
    }
}
#endif
