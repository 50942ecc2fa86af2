import WorkspaceCore

/// How events come to a destination: one by one as they arrive, or together in objects.
enum DestinationDelivery: Sendable {
    case events(any DestinationConnection)
    case objects(S3Store)

    /// Shows an operator whether the destination takes events.
    /// - Parameter event: was made up for this.
    func test(_ event: ForwardedEvent) async -> ForwardingAnswer {
        switch self {
        case .events(let connection): await connection.test(event)
        case .objects(let store): await store.test()
        }
    }
}
