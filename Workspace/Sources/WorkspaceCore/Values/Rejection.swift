/// Why the server rejected one event of a batch.
package struct Rejection: Error, Equatable {
    /// The kind of a rejection. There are few, so the metrics can use it as a label.
    package enum Code: String {
        case notAnObject = "not_an_object"
        case tooLarge = "event_too_large"
        case tooCostly = "batch_too_costly"
        case unknownType = "unknown_type"
        case noUser = "no_user_anon_id"
        case noEventName = "no_event_name"
        case noGroup = "no_group_id"
        case noAlias = "no_alias_ids"
        case badMessageId = "bad_message_id"
        case badField = "bad_field"
    }

    package let code: Code
    package let reason: String

    package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }
}
