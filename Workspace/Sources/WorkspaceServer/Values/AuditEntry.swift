import TributaryJSON

/// Something that somebody changed, for the log that is only ever added to.
struct AuditEntry: Sendable, Equatable {
    /// What was done: few words, so that they can be counted and looked for.
    enum Action: String, Sendable {
        case sourceMade = "source made"
        case sourceRenamed = "source renamed"
        case sourceRemoved = "source removed"
        case filtersReplaced = "filters replaced"
        case integrationsChanged = "integrations changed"
        case pluginsDeployed = "live plugins deployed"
        case pluginsWidened = "live plugins given to more devices"
        case keyAdded = "key added"
        case keyRevoked = "key revoked"
        case policyChanged = "policy changed"
        case eventsDeleted = "events deleted"
        case pluginsRolledBack = "live plugins rolled back"
        case pluginsDisabled = "live plugins switched off"
        case destinationMade = "destination made"
        case destinationChanged = "destination changed"
        case destinationRemoved = "destination removed"
        case secretReplaced = "secret of a destination replaced"
        case deadLettersRetried = "dead letters retried"
        case deadLettersDiscarded = "dead letters discarded"
        case erasureBegun = "erasure of a user begun"
        case userErased = "user erased"
        case tokenReplaced = "admin token replaced"
        case tokenMade = "token made"
        case tokenRevoked = "token revoked"
        case sourceRecovered = "source recovered"
        case dataLost = "loss noted by a repair"
    }

    let action: Action
    /// The write key of the source that it was done to.
    var writeKey: String?
    /// What helps to know what it was. Settings of destinations may hold secrets, so their values are never in it.
    var details: JSONObject = [:]
}
