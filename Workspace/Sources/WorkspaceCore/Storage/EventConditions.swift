public import TributaryJSON

/// The conditions of `where`, for a program that gets events from the server's stream, which has no filter.
public struct EventConditions: Sendable {
    /// A text that is no condition.
    public struct Wrong: Error, CustomStringConvertible {
        /// The reason, as a text for people.
        public let description: String
    }

    private let conditions: [JSONCondition]

    /// Reads conditions such as `properties.total>10`.
    public init(_ texts: [String]) throws(Wrong) {
        var conditions: [JSONCondition] = []
        for text in texts {
            do {
                conditions.append(try JSONCondition(text))
            } catch {
                throw Wrong(description: error.message)
            }
        }
        self.conditions = conditions
    }

    /// The keys of the path of each condition.
    public var paths: [[String]] { conditions.map(\.path.keys) }

    /// Whether an event, as it was sent, fulfils all of them.
    public func hold(_ event: JSON) -> Bool {
        let bytes = Array(event.description.utf8)
        return bytes.withUnsafeBufferPointer { event in
            // An event that cannot be read has no members, as in the server's own search.
            conditions.allSatisfy { condition in (try? condition.holds(event)) ?? false }
        }
    }
}
