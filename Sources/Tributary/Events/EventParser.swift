import TributaryJSON

/// Makes typed events from JSON, for instance of events that were recorded elsewhere.
enum EventParser {
    /// Whether the `type` is one of the five types.
    static func isEvent(_ json: JSONObject) -> Bool { event(json) != nil }

    /// The typed view of an object, by its `type`; nil for any other type.
    static func event(_ json: JSONObject) -> (any RawEvent)? {
        switch json["type"]?.stringValue {
        case TrackEvent.typeName: TrackEvent(json: json)
        case IdentifyEvent.typeName: IdentifyEvent(json: json)
        case ScreenEvent.typeName, ScreenEvent.pageTypeName: ScreenEvent(json: json)
        case GroupEvent.typeName: GroupEvent(json: json)
        case AliasEvent.typeName: AliasEvent(json: json)
        default: nil
        }
    }
}
