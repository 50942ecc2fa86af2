import Tributary
import TributaryJSON

/// What an app hands over as data of a signal, as JSON.
enum SignalContent {
    static func json(_ values: [String: Any]?) -> JSON? {
        guard let values else { return nil }
        return converted { try JSON(values) }
    }

    static func json<Content: Encodable>(_ content: Content?) -> JSON? {
        guard let content else { return nil }
        if let json = content as? JSON { return json }
        return converted { try JSON(with: content) }
    }

    /// A signal without its data is worth more than none.
    private static func converted(_ conversion: () throws -> JSON) -> JSON? {
        do {
            return try conversion()
        } catch {
            Signals.shared.report("a signal goes on without its data: \(error)", kind: .invalidValue)
            return Optional.none
        }
    }
}
