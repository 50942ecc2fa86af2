import GRDB
package import TributaryJSON

extension SourceRegistry {
    /// Gives a source a function, or another one.
    /// - Parameters:
    ///   - old: the function that the change was made for.
    ///   - details: for the audit log.
    /// - Throws: `Refusal` when the source has another function meanwhile.
    package func putFunction(
        _ function: SourceFunction, replacing old: SourceFunction?, of writeKey: String, details: JSONObject
    ) async throws -> Source {
        let administrator = Administrator.current
        return try await change(writeKey) { db, source in
            guard source.function == old else {
                throw Refusal(.conflict, "the function of the source was changed meanwhile; try again")
            }
            try Self.store(function.stored, of: source, db)
            try FunctionVersion.note(
                function.settings, of: .source(source.id), replacing: old.map { ($0.settings, $0.updatedAt) },
                by: administrator, now: function.updatedAt, db)
            return AuditEntry(action: old == nil ? .functionMade : .functionChanged, details: details)
        }
    }

    /// Takes the function from a source.
    /// - Throws: `Refusal` when it has none.
    package func removeFunction(of writeKey: String) async throws -> Source {
        try await change(writeKey) { db, source in
            guard source.function != nil else { throw Refusal.withoutFunction(writeKey) }
            try Self.store("", of: source, db)
            try FunctionVersion.remove(of: .source(source.id), db)
            return AuditEntry(action: .functionRemoved)
        }
    }

    private static func store(_ text: String, of source: Source, _ db: Database) throws {
        try db.execute(sql: "UPDATE source SET function = ? WHERE id = ?", arguments: [text, source.id])
    }
}

extension Refusal {
    /// The answer to a request that names the function of a source that has none.
    package static func withoutFunction(_ writeKey: String) -> Refusal {
        .notFound("the source \(writeKey) has no function")
    }
}
