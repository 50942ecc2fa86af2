/// Which tables of a workspace have its settings: all nodes of a cluster have the same rows there.
package enum SettingsTables {
    /// A table with references to another one comes before it. SQLite records and applies changes in this order, so a
    /// removal finds the rows that a cascade would take.
    package static let shared = [
        "login", "personLogin", "namedToken", "administrator", "undelivered", "deletionRequest", "replay",
        "destination", "rollout",
        "filterSet",
        "bundle", "functionVersion",
        "sourceKey", "source", "audit", "notice", "suppression", "retention", "alertRule", "savedView", "boardLink",
        healthKey,
    ]

    /// It has a row from the start, another one in each folder.
    package static let healthKey = "healthKey"

    /// Tables of one node with rows that belong to a source.
    package static let localOfSource = ["counter", "healthHour", "healthDevice", "appVersion", "rolloutDevice"]

    /// The other tables of one node.
    package static let local = [
        "indexed", "recentMessages", "messageFile", "forgottenMessages", "position", "sweep", "appliedChange",
        "healthLog", "day",
    ]
}
