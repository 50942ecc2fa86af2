#if canImport(AppKit) && !targetEnvironment(macCatalyst)
/// Whether a plugin of this process observes AppKit. Two of AppKit's notifications come with each pass of the event
/// loop, so the client skips them when no plugin uses them.
enum AppKitListeners {
    private static let isOneThere = LockBox(false)

    static var exist: Bool { isOneThere.withLock { $0 } }

    /// Takes note of a plugin that was added to the client or to a destination.
    static func note(_ plugin: any Plugin) {
        if plugin is any macOSLifecycleEvents { isOneThere.withLock { $0 = true } }
    }
}
#endif
