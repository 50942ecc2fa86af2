import Tributary
import TributaryJSON

/// Converts the data that an app gives a signal to JSON.
enum SignalContent {
    static func json(_ values: [String: Any]?) -> JSON? {
        guard let values else { return nil }
        return converted { JSON.converted(values, leftOut: &$0) }
    }

    static func json<Content: Encodable>(_ content: Content?) -> JSON? {
        guard let content else { return nil }
        if let json = content as? JSON { return json }
        return converted { JSON.converted(encoding: content, leftOut: &$0) }
    }

    /// A signal without some of its data is better than no signal.
    private static func converted(_ conversion: (inout [LeftOutValue]) -> JSON?) -> JSON? {
        var leftOut: [LeftOutValue] = []
        let json = conversion(&leftOut)
        for value in leftOut {
            Signals.shared.report("a signal goes on without a value of its data: \(value)", kind: .invalidValue)
        }
        return json
    }
}
