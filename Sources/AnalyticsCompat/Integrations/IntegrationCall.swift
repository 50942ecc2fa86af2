/// A call without an event, for integrations.
enum IntegrationCall: Sendable {
    case reset
    case flush
    /// A notification. The payload says which call it was.
    case notification
    case lifecycle(ApplicationChange)
    case activity
    case url
}
