#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import Foundation

// As in analytics-ios, resigning counts as the background, and becoming active as the foreground. The names of AppKit's
// notifications are written out, because the constants belong to the main actor.
extension MiddlewarePlugin: macOSLifecycleEvents {
    func application(didFinishLaunchingWithOptions launchOptions: [String: Any]?) {
        happened(
            .didFinishLaunching, name: "NSApplicationDidFinishLaunchingNotification", launchOptions: launchOptions)
    }

    func applicationDidResignActive() {
        happened(.didEnterBackground, name: "NSApplicationDidResignActiveNotification")
        enteredBackground()
    }

    func applicationWillBecomeActive() {
        happened(.willEnterForeground, name: "NSApplicationWillBecomeActiveNotification")
    }

    func applicationWillTerminate() {
        happened(.willTerminate, name: "NSApplicationWillTerminateNotification")
    }
}
#endif
