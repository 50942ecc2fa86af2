import GRDB

extension Store {
    /// The mask that hides personal data from the author of the request that is answered now; nil when nothing is hidden.
    ///
    /// The properties that an operator marked for one source are hidden in all of them.
    package func hiding() async throws -> PersonalDataMask? {
        guard Administrator.current.sight.personalData == .hidden else { return nil }
        return try await pool.read { db in
            var marked: Set<String> = []
            for source in try Self.allSources(db) { marked.formUnion(source.policy.personal.names) }
            return PersonalDataMask(marked: marked, secret: try Self.healthKey(db))
        }
    }

    /// How all sources are called, by their numbers.
    package func allWriteKeys() async throws -> [Int64: String] { try await pool.read(Self.writeKeys) }

    /// How the sources are called that the author of the request sees.
    package func seenWriteKeys() async throws -> [Int64: String] {
        let sight = Administrator.current.sight
        return try await allWriteKeys().filter { sight.sees($0.key) }
    }

    /// - Throws: `Refusal` when one of the conditions asks for personal data that the author of the request does not see.
    ///   Without it the answer would only be empty.
    package func checkSight(of paths: [JSONPath]) async throws {
        guard let hiding = try await hiding(), let path = paths.first(where: hiding.hides) else { return }
        throw Refusal(
            .forbidden, "\(path.keys.joined(separator: ".")) is personal data, which this token or login does not see")
    }
}
