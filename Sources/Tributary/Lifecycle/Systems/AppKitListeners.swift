#if canImport(AppKit) && !targetEnvironment(macCatalyst)
/// Whether a plugin of this process wants to hear what AppKit tells: two of its notifications come with each pass of the
/// event loop, and most apps have no such plugin.
enum AppKitListeners {
    private static let isOneThere = LockBox(false)

    static var exist: Bool { isOneThere.withLock { $0 } }

    /// A plugin was added, to the client or to a destination.
    static func note(_ plugin: any Plugin) {
        if plugin is any macOSLifecycleEvents { isOneThere.withLock { $0 = true } }
    }
}
#endif
