import TributaryJSON

/// The form of the body of an ingest request.
package enum RequestForm: Equatable, Sendable {
    /// Events under `batch`.
    case batch
    /// Traces under `traces`.
    case traces
    /// Signals of a webhook: the body is the array.
    case signals
    /// One event of the type that the path names.
    case single(EventType)

    /// The member that holds the items; nil when the body itself is the one item, or the array of them.
    package var itemsKey: StaticString? {
        switch self {
        case .batch: "batch"
        case .traces: "traces"
        case .single, .signals: nil
        }
    }

    /// The levels of nested arrays and objects of a body in which no item is nested too deeply.
    package var depth: Int {
        switch self {
        case .batch, .traces: JSONLimits.eventDepth + 2
        case .signals: JSONLimits.eventDepth + 1
        case .single: JSONLimits.eventDepth
        }
    }

    /// The number of the form in the journal. A number never gets another meaning.
    package var code: UInt8 {
        switch self {
        case .batch: 0
        case .traces: 1
        case .single(.track): 2
        case .single(.identify): 3
        case .single(.page): 4
        case .single(.screen): 5
        case .single(.group): 6
        case .single(.alias): 7
        case .signals: 8
        }
    }

    private static let all: [RequestForm] = [.batch, .traces, .signals] + EventType.allCases.map { .single($0) }

    package init?(code: UInt8) {
        guard let form = Self.all.first(where: { $0.code == code }) else { return nil }
        self = form
    }
}
