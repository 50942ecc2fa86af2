#if canImport(UIKit) && !os(watchOS)
import UIKit

extension MiddlewarePlugin: iOSLifecycleEvents {
    func application(
        _ application: UIApplication?,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) {
        var options: [AnyHashable: Any] = [:]
        for (key, value) in launchOptions ?? [:] { options[key.rawValue] = value }
        happened(
            .didFinishLaunching, name: UIApplication.didFinishLaunchingNotification.rawValue,
            launchOptions: launchOptions == nil ? nil : options)
    }

    func applicationDidEnterBackground(application: UIApplication?) {
        happened(.didEnterBackground, name: UIApplication.didEnterBackgroundNotification.rawValue)
        enteredBackground()
    }

    func applicationWillEnterForeground(application: UIApplication?) {
        happened(.willEnterForeground, name: UIApplication.willEnterForegroundNotification.rawValue)
    }

    func applicationDidBecomeActive(application: UIApplication?) {
        happened(.didBecomeActive, name: UIApplication.didBecomeActiveNotification.rawValue)
    }

    func applicationWillResignActive(application: UIApplication?) {
        happened(.willResignActive, name: UIApplication.willResignActiveNotification.rawValue)
    }

    func applicationWillTerminate(application: UIApplication?) {
        happened(.willTerminate, name: UIApplication.willTerminateNotification.rawValue)
    }
}
#endif
