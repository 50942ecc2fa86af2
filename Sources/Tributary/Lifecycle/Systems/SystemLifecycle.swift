/// The lifecycle steps that this system reports.
enum SystemLifecycle {
    /// Whether this system reports lifecycle steps by itself.
    static var isWatched: Bool {
        #if canImport(UIKit) || canImport(AppKit) || canImport(WatchKit)
        true
        #else
        false
        #endif
    }

    /// Begins to observe; nil on systems that report nothing by themselves. Also nil in app extensions, which have
    /// a lifecycle of their own.
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

    /// Runs work for which the system grants time although the app is in the background. It works in extensions, too.
    /// - Parameter work: gets a closure to call when the work is done.
    static func keepAwake(_ work: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        #if canImport(UIKit) || canImport(WatchKit)
        ExpiringActivity.run(work)
        #else
        work {}
        #endif
    }
}
