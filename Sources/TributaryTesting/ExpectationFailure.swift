/// The reason why an expectation was not met, with everything that was recorded.
///
/// The `expect…` functions throw it. An error that leaves a test fails the test, in Swift Testing and in XCTest, and
/// its description is the message.
public struct ExpectationFailure: Error, Sendable, CustomStringConvertible {
    /// The expectation, similar events, and everything that was recorded.
    public let description: String

    init(_ expectation: String, differences: [String] = [], recorded: RecordedEvents) {
        let near = differences.isEmpty ? "" : differences.map { "\n  but \($0)" }.joined()
        description = "expected \(expectation)\(near)\nrecorded:\n\(recorded)"
    }
}
