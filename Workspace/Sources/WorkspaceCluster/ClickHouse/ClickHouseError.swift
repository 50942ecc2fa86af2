import WorkspaceCore
import WorkspaceServer

/// A failure of the column store.
package enum ClickHouseError: EngineFailure {
    /// The settings cannot be used.
    case settings(String)
    /// The server refused a statement, with its number and its text.
    case refused(code: Int, String)
    /// No host answered in time; the failure of the last one.
    case unavailable(String)
    /// The answer does not have the form that the statement asks for.
    case answer(String)
    /// Rows that were to be erased are still there.
    case notErased(String)

    package var description: String {
        switch self {
        case .settings(let text): text
        case .refused(let code, let text): "the column store refuses a statement with the error \(code): \(text)"
        case .unavailable(let text): "the column store cannot be used now: \(text)"
        case .answer(let text): "the column store gives an answer that cannot be read: \(text)"
        case .notErased(let text): "rows are not erased yet: \(text)"
        }
    }

    /// Whether the same statement may succeed later or on another host.
    package var isPassing: Bool {
        switch self {
        case .settings, .answer: false
        case .refused(let code, _): !Self.lasting.contains(code)
        case .unavailable, .notErased: true
        }
    }

    /// The codes for an unknown function, column, table, setting, database or user, and for faults of syntax, types,
    /// names and passwords.
    private static let lasting: Set<Int> = [16, 43, 46, 47, 53, 62, 115, 192, 193, 194, 516]
}
