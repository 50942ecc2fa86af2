/// Where a warehouse is, and which destination loads it.
struct PostgresPlace: Sendable, Equatable {
    /// Keywords of libpq and their values.
    let parameters: [(name: String, value: String)]
    let schema: String
    /// How long each statement may take.
    let seconds: Int64
    let key: WarehouseKey

    static func == (left: PostgresPlace, right: PostgresPlace) -> Bool {
        left.schema == right.schema && left.seconds == right.seconds && left.key == right.key
            && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }

    /// A table of the schema, with its schema.
    func table(_ name: String) -> String { "\(PostgresText.name(schema)).\(PostgresText.name(name))" }
}
