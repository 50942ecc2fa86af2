import WorkspaceCore

/// How events come to a destination: one by one as they arrive, together in objects, or as rows of tables.
enum DestinationDelivery: Sendable {
    case events(any DestinationConnection)
    case objects(S3Store)
    case tables(any Warehouse)

    /// Shows an operator whether the destination takes events.
    /// - Parameter event: was made up for this.
    func test(_ event: ForwardedEvent) async -> ForwardingAnswer {
        switch self {
        case .events(let connection): await connection.test(event)
        case .objects(let store): await store.test()
        case .tables(let warehouse): await warehouse.tryOut()
        }
    }
}
