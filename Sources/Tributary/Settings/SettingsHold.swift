import Foundation

/// When a client asks for settings in a way that the server answers only when they change. A value, so that tests can try every
/// order of answers.
///
/// Such a request is *held*: the server waits with its answer, for as many seconds as its settings say. A client holds one at a
/// time, and asks at its interval while it holds none.
struct SettingsHold: Sendable, Equatable {
    enum Ending: Sendable {
        /// The answer has other settings.
        case changed
        /// The answer says that nothing has changed.
        case unchanged
        /// There was no usable answer.
        case failed
    }

    /// The times that a server can ask for, in seconds. A shorter one would cost more than it brings.
    private static let seconds = 5.0...300.0
    /// The pauses after answers that came too early, and after failures.
    private static let pauses = Backoff(first: 5, longest: 300)
    /// After a change, the next request follows within that many seconds: clients that got the same answer at the same moment
    /// so do not all ask again at once. After the end of its time it follows at once, while the device is awake.
    private static let gap: TimeInterval = 1

    /// Requests in a row that were not held for long.
    private var early = 0
    /// Whether the server held the last request, so that a change arrives within seconds.
    private(set) var isWorking = false

    /// For how long the server of these settings holds a request: `"settingsPush": {"seconds": 45}`. Nil when it holds none,
    /// so that other servers are never asked in vain.
    static func seconds(of settings: Settings?) -> TimeInterval? {
        guard let asked = settings?.document["settingsPush"]?["seconds"]?.doubleValue, asked > 0 else { return nil }
        return min(max(seconds.lowerBound, asked), seconds.upperBound)
    }

    /// The pause before the next request, in seconds.
    ///
    /// A server with too many held requests answers at once that nothing has changed. A proxy can end a request early, and a
    /// faulty server can answer at once with the same settings. So only the time of the answer says whether the request was held.
    /// - Parameters:
    ///   - seconds: how long the answer took, by a clock that is never set.
    ///   - asked: how long the server was asked to hold the request.
    ///   - chance: a number from 0 to below 1.
    mutating func pause(
        after ending: Ending, in seconds: TimeInterval, of asked: TimeInterval, chance: Double
    ) -> TimeInterval {
        let isEarly = ending == .failed || seconds < asked / 2
        isWorking = ending == .changed || !isEarly
        guard isEarly else {
            early = 0
            return ending == .changed ? chance * Self.gap : 0
        }
        early += 1
        return Self.pauses.pause(after: early - 1) * (0.5 + chance)
    }
}
