import Foundation
import TributaryJSON

/// Writes each processed event and each diagnostic, for developers.
///
/// A line has the event's type and name, its id, and its JSON. Not for production, because it writes everything that is
/// in an event.
///
/// ```swift
/// analytics.add(plugin: ConsoleLogger())
/// ```
public final class ConsoleLogger: Plugin {
    public let type = PluginType.after
    public let name = "ConsoleLogger"
    public weak var analytics: Analytics?

    private let write: @Sendable (String) -> Void
    private var observation: Observation?

    /// - Parameter write: gets a line, on the client's threads. Default: standard error.
    public init(write: @escaping @Sendable (String) -> Void = { ConsoleLogger.writeToStandardError($0) }) {
        self.write = write
    }

    public func configure(analytics: Analytics) {
        self.analytics = analytics
        observation = analytics.observeDiagnostics { [write] in write("analytics: \($0)") }
    }

    public func execute<Event: RawEvent>(event: Event?) -> Event? {
        guard let event else { return nil }
        let what = ["event", "name", "groupId", "userId"].compactMap { event.json[$0]?.stringValue }.first ?? ""
        let members = String(decoding: JSON.object(event.json).encoded(), as: UTF8.self)
        write("analytics: \(event.type ?? Event.typeName) \"\(what)\" \(members)")
        return event
    }

    public func shutdown() {
        observation?.cancel()
        observation = nil
    }

    /// Uses one write for a line, so lines of several threads do not mix.
    public static func writeToStandardError(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
