/// A change in the life of the app, for integrations.
package enum ApplicationChange: String, Sendable, CaseIterable {
    case didFinishLaunching
    case didEnterBackground
    case willEnterForeground
    case willTerminate
    case willResignActive
    case didBecomeActive
}
