import Foundation

/// How long a client waits between two requests for settings.
enum SettingsPace {
    /// No server can have the client ask more often than that, in seconds.
    static let shortest: TimeInterval = 60

    /// The pauses of a client that needs settings to begin and asked in vain.
    static let retries = Backoff(first: 5, longest: shortest)

    /// The app decides. While something is going on, a server can ask for a shorter time: `"settingsInterval": 60`.
    /// - Parameters:
    ///   - own: the time that the app chose; at most that long, and never more often when it is 0.
    ///   - asked: the time that the settings ask for; nil, or a number that makes no sense, asks for nothing.
    static func interval(own: TimeInterval, asked: Double?) -> TimeInterval {
        guard let asked, asked > 0 else { return own }
        return min(own, max(shortest, asked))
    }
}
