/// The lifecycle steps that this system reports.
enum SystemLifecycle {
    /// Whether this system reports the steps of an app's life by itself.
    static var isWatched: Bool {
        #if canImport(UIKit) || canImport(AppKit) || canImport(WatchKit)
        true
        #else
        false
        #endif
    }

    /// Begins to observe; nil where the system reports nothing by itself, and in app extensions, whose life is not the
    /// app's.
    static func watch(
        _ analytics: Analytics, _ take: @escaping @Sendable (LifecycleStep) -> Void
    ) -> (any LifecycleWatch)? {
        guard !analytics.values.program.isExtension else { return nil }
        #if canImport(UIKit) && !os(watchOS)
        return UIKitLifecycle(analytics, take)
        #elseif canImport(WatchKit)
        return WatchKitLifecycle(analytics, take)
        #elseif canImport(AppKit)
        return AppKitLifecycle(analytics, take)
        #else
        return nil
        #endif
    }

    /// Runs work that the system is to leave time for although the app is in the background; also in extensions.
    /// - Parameter work: gets what to call when it is done.
    static func keepAwake(_ work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        #if canImport(UIKit) || canImport(WatchKit)
        ExpiringActivity.run(work)
        #else
        work {}
        #endif
    }
}
