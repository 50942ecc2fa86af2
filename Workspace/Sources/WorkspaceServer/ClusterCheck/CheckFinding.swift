/// What a check of a cluster's engines found of one setting.
package struct CheckFinding: Sendable, Equatable {
    package enum Engine: String, Sendable {
        case log = "NATS"
        case store = "ClickHouse"
    }

    package enum Verdict: String, Sendable {
        /// As safety needs it.
        case fine
        /// Nothing is lost by it now. A server is away, or a replica is behind.
        case warning
        /// Acknowledged events may be lost or doubled. A node does not start.
        case wrong
        /// Nobody says what is set there.
        case unseen
    }

    package let engine: Engine
    /// The server, stream or table that has the setting.
    package let place: String
    package let setting: String
    /// What is there.
    package let found: String
    package let verdict: Verdict
    /// What to do; empty when all is fine.
    package let advice: String

    package init(
        _ engine: Engine, _ place: String, _ setting: String, found: String, _ verdict: Verdict = .fine,
        advice: String = ""
    ) {
        (self.engine, self.place, self.setting) = (engine, place, setting)
        (self.found, self.verdict, self.advice) = (found, verdict, advice)
    }

    /// A finding that is fine, or is not.
    package init(
        _ engine: Engine, _ place: String, _ setting: String, found: String, isFine: Bool,
        otherwise verdict: Verdict = .wrong, advice: String
    ) {
        self.init(
            engine, place, setting, found: found, isFine ? .fine : verdict, advice: isFine ? "" : advice)
    }
}
