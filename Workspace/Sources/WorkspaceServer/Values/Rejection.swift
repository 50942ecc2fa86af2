/// Why one event of a batch was not stored among the others.
struct Rejection: Error, Equatable {
    /// The family of a rejection: bounded, so it can serve as a label.
    enum Code: String {
        case notAnObject = "not_an_object"
        case tooLarge = "event_too_large"
        case unknownType = "unknown_type"
        case noUser = "no_user_anon_id"
        case noEventName = "no_event_name"
        case noGroup = "no_group_id"
        case noAlias = "no_alias_ids"
        case badMessageId = "bad_message_id"
        case badField = "bad_field"
    }

    let code: Code
    let reason: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
