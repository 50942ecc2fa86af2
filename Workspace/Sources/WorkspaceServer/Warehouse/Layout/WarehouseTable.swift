/// The tables that every warehouse can have, and the columns that they begin with.
enum WarehouseTable {
    static let tracks = "tracks"
    static let identifies = "identifies"
    static let pages = "pages"
    static let screens = "screens"
    static let groups = "groups"
    static let aliases = "aliases"
    /// The latest traits of each user.
    static let users = "users"
    /// Which user an anonymous id belonged to, and when.
    static let identities = "identities"
    static let sessions = "sessions"
    /// How far each destination has come.
    static let positions = "_tributary_positions"

    /// Names that no table of an event has. `accounts` belongs to the documented layout, too.
    static let names: Set<String> = [
        tracks, identifies, pages, screens, groups, aliases, users, identities, sessions, "accounts",
    ]

    /// The column for values that no other column takes.
    static let extra = "_extra"

    /// The columns that a table of events has from the beginning.
    static let eventColumns: [(name: String, type: WarehouseType)] = [
        ("id", .text), ("anonymous_id", .text), ("user_id", .text), ("received_at", .timestamp),
        ("sent_at", .timestamp),
        ("original_timestamp", .timestamp), ("timestamp", .timestamp), (extra, .json),
    ]

    /// The columns that a table begins with.
    static func columns(of table: String) -> [(name: String, type: WarehouseType)] {
        switch table {
        case users: [("id", .text), ("received_at", .timestamp), (extra, .json)]
        case identities:
            [("anonymous_id", .text), ("user_id", .text), ("first_seen_at", .timestamp), ("last_seen_at", .timestamp)]
        case sessions:
            [
                ("id", .text), ("anonymous_id", .text), ("user_id", .text), ("started_at", .timestamp),
                ("ended_at", .timestamp), ("events", .bigint),
            ]
        case pages, screens: eventColumns + [("name", .text), ("category", .text)]
        case identifies: eventColumns
        case groups: eventColumns + [("group_id", .text)]
        case aliases: eventColumns + [("previous_id", .text)]
        default: eventColumns + [("event", .text), ("event_text", .text)]
        }
    }

    /// The columns that tell the rows of a table apart.
    static func key(of table: String) -> [String] {
        switch table {
        case identities: ["anonymous_id", "user_id"]
        case sessions: ["id", "anonymous_id"]
        default: ["id"]
        }
    }
}
