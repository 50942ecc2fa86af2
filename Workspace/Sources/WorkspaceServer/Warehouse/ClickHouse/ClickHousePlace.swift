import WorkspaceCore

/// Where a warehouse in ClickHouse is, and which destination loads it.
struct ClickHousePlace: Sendable, Equatable {
    /// Scheme, host and port.
    let address: ServiceAddress
    let database: String
    let user: String
    /// Empty for a user without one.
    let password: String
    /// How long each statement may take.
    let seconds: Int64
    let key: WarehouseKey

    /// A table of the database, with its database.
    func table(_ name: String) -> String { "\(ClickHouseText.name(database)).\(ClickHouseText.name(name))" }
}
