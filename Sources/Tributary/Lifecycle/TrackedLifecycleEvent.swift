/// The lifecycle events that a client tracks by itself.
public struct TrackedLifecycleEvent: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    /// A set of events, by its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The app runs for the first time since it was installed.
    public static let applicationInstalled = TrackedLifecycleEvent(rawValue: 1 << 0)
    /// The app runs for the first time in another version or build.
    public static let applicationUpdated = TrackedLifecycleEvent(rawValue: 1 << 1)
    /// The app was started, or returned from the background.
    public static let applicationOpened = TrackedLifecycleEvent(rawValue: 1 << 2)
    /// The app returned from the background.
    public static let applicationForegrounded = TrackedLifecycleEvent(rawValue: 1 << 3)
    /// The app went to the background.
    public static let applicationBackgrounded = TrackedLifecycleEvent(rawValue: 1 << 4)
    /// The app was hidden (macOS).
    public static let applicationHidden = TrackedLifecycleEvent(rawValue: 1 << 5)
    /// The app is no longer hidden (macOS).
    public static let applicationUnhidden = TrackedLifecycleEvent(rawValue: 1 << 6)
    /// The app is about to end. Not all systems report this.
    public static let applicationTerminated = TrackedLifecycleEvent(rawValue: 1 << 7)

    /// All events.
    public static let all: TrackedLifecycleEvent = [
        .applicationInstalled, .applicationUpdated, .applicationOpened, .applicationForegrounded,
        .applicationBackgrounded, .applicationHidden, .applicationUnhidden, .applicationTerminated,
    ]
    /// No event.
    public static let none: TrackedLifecycleEvent = []
}
