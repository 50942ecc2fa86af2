package import TributaryJSON

/// JSON of the values that reports are made of. Nil becomes `null`.
extension JSON {
    package static func number(_ value: some BinaryInteger) -> JSON { .number(JSONNumber(value)) }

    package static func number(_ value: (some BinaryInteger)?) -> JSON {
        value.map { .number(JSONNumber($0)) } ?? .null
    }

    package static func string(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }

    package static func bool(_ value: Bool?) -> JSON { value.map { .bool($0) } ?? .null }

    /// The timestamp of milliseconds since 1970.
    package static func time(_ milliseconds: Int64?) -> JSON {
        .string(milliseconds.map(ISO8601.string(milliseconds:)))
    }

    package static func numbers(_ values: some Sequence<some BinaryInteger>) -> JSON {
        .array(values.map { .number(JSONNumber($0)) })
    }

    package static func strings(_ values: some Sequence<String>) -> JSON { .array(values.map { .string($0) }) }

    /// An object of the members that are not `null`.
    package static func object(withoutNulls members: KeyValuePairs<String, JSON>) -> JSON {
        .object(JSONObject(withoutNulls: members))
    }
}

extension JSONObject {
    /// The members that are not `null`.
    package init(withoutNulls members: KeyValuePairs<String, JSON>) {
        self.init()
        for (name, value) in members where !value.isNull { self[name] = value }
    }

    /// A member in the form that `read` gives it; nil when there is none.
    /// - Throws: `Refusal` with that sentence when `read` gives nil.
    package func member<Value>(
        _ name: String, _ problem: @autoclosure () -> String, _ read: (JSON) -> Value?
    ) throws(Refusal) -> Value? {
        guard let json = self[name] else { return nil }
        guard let value = read(json) else { throw .invalid(problem()) }
        return value
    }
}
