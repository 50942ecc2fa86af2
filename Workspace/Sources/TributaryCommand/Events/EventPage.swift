import TributaryJSON

/// A page of the server's list.
struct EventPage {
    let events: [JSON]
    /// Where the next page begins; nil at the end.
    let next: Int?
    /// Events that a search has not looked at yet.
    let left: Int?

    init(_ answer: JSON) throws(Failure) {
        events = try answer.list("events")
        next = answer["next"]?.intValue
        left = answer["search"]?["left"]?.intValue
    }
}
