import TributaryJSON

/// Counts the stored events one by one.
struct EventTally: Equatable {
    /// Each event counts once, also when the workspace lists it twice.
    private var messageIds: Set<String> = []
    /// Stored events by the version of the live plugins that stamped them; "none" without a stamp.
    private(set) var byVersion: [String: Int] = [:]
    /// Stored events with a property that the filter should have removed.
    private(set) var withInternalNote = 0
    /// Stored events that still have the wrong name of a property.
    private(set) var misnamed = 0

    var stored: Int { messageIds.count }

    /// - Parameter row: one element of `/api/events`.
    mutating func add(_ row: JSON) {
        guard let event = row["event"], let id = event["messageId"]?.stringValue, messageIds.insert(id).inserted
        else { return }
        byVersion[event["context"]?["livePlugin"]?["version"]?.stringValue ?? "none", default: 0] += 1
        if event["properties"]?["internal_note"] != nil { withInternalNote += 1 }
        if event["properties"]?["product_did"] != nil { misnamed += 1 }
    }
}
