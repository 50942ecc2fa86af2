import WorkspaceCore
import WorkspaceServer

/// The result of a check of one setting of a cluster's engines.
package struct CheckFinding: Sendable, Equatable {
    package enum Engine: String, Sendable {
        case log = "NATS"
        case store = "ClickHouse"
    }

    package enum Verdict: String, Sendable {
        /// The setting has the value that safety needs.
        case fine
        /// Nothing is lost at present. A server is away, or a replica is behind.
        case warning
        /// Acknowledged events may be lost or stored twice. A node refuses to start.
        case wrong
        /// The check could not read the setting.
        case unseen
    }

    package let engine: Engine
    /// The server, stream or table that has the setting.
    package let place: String
    package let setting: String
    /// The value that the check found.
    package let found: String
    package let verdict: Verdict
    /// What the operator should do; empty when the setting is fine.
    package let advice: String

    package init(
        _ engine: Engine, _ place: String, _ setting: String, found: String, _ verdict: Verdict = .fine,
        advice: String = ""
    ) {
        (self.engine, self.place, self.setting) = (engine, place, setting)
        (self.found, self.verdict, self.advice) = (found, verdict, advice)
    }

    /// A finding that is fine or has another verdict.
    package init(
        _ engine: Engine, _ place: String, _ setting: String, found: String, isFine: Bool,
        otherwise verdict: Verdict = .wrong, advice: String
    ) {
        self.init(
            engine, place, setting, found: found, isFine ? .fine : verdict, advice: isFine ? "" : advice)
    }
}
