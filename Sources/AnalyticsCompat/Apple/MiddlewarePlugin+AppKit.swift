#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import Foundation

// As analytics-ios has it: resigning is the background, becoming active the foreground. The names are those of AppKit's
// notifications, written out because the constants belong to the main actor.
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
