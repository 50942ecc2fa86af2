/// Why an expectation was not met, with everything that was recorded instead.
///
/// Thrown by the `expect…` functions: an error that leaves a test fails it, in Swift Testing and in XCTest, and its
/// description is the message.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// What was expected, what came near, and what was recorded.
    public let description: String

    init(_ expectation: String, differences: [String] = [], recorded: RecordedEvents) {
        let near = differences.isEmpty ? "" : differences.map { "\n  but \($0)" }.joined()
        description = "expected \(expectation)\(near)\nrecorded:\n\(recorded)"
    }
}
