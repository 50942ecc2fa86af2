package import TributaryJSON

/// A change by an administrator or a repair. The audit log only grows.
package struct AuditEntry: Sendable, Equatable {
    /// The kind of change, in few words, so that entries can be counted and searched.
    package enum Action: String, Sendable {
        case sourceMade = "source made"
        case sourceRenamed = "source renamed"
        case sourceRemoved = "source removed"
        case filtersReplaced = "filters replaced"
        case filtersWidened = "filters given to more devices"
        case filtersRolledBack = "filters rolled back"
        case integrationsChanged = "integrations changed"
        case pluginsDeployed = "live plugins deployed"
        case pluginsWidened = "live plugins given to more devices"
        case keyAdded = "key added"
        case keyRevoked = "key revoked"
        case policyChanged = "policy changed"
        case planChanged = "tracking plan changed"
        case tracingOrdered = "tracing ordered"
        case tracingEnded = "tracing ended"
        case eventsDeleted = "events deleted"
        case pluginsRolledBack = "live plugins rolled back"
        case rolloutPaused = "roll-out paused"
        case rolloutResumed = "roll-out resumed"
        case rolloutFinished = "roll-out finished"
        case differencesAnnounced = "differences announced"
        case pluginsDisabled = "live plugins switched off"
        case stopBegun = "stop on devices begun"
        case stopEnded = "stop on devices ended"
        case destinationMade = "destination made"
        case destinationChanged = "destination changed"
        case destinationRemoved = "destination removed"
        case functionWidened = "destination function given to more users"
        case functionRolledBack = "destination function rolled back"
        case functionMade = "source function made"
        case functionChanged = "source function changed"
        case functionRemoved = "source function removed"
        case secretReplaced = "secret of a destination replaced"
        case deadLettersRetried = "dead letters retried"
        case deadLettersDiscarded = "dead letters discarded"
        case heldReleased = "held events released"
        case replayBegun = "replay begun"
        case replayPaused = "replay paused"
        case replayResumed = "replay resumed"
        case replayEnded = "replay ended"
        case erasureBegun = "erasure of a user begun"
        case userErased = "user erased"
        case suppressed = "user or device suppressed"
        case suppressionEnded = "suppression ended"
        case alertRuleSet = "alert rule set"
        case alertRuleRemoved = "alert rule removed"
        case viewSaved = "question saved"
        case viewRemoved = "saved question removed"
        case boardLinkMade = "link to the board made"
        case boardLinkRevoked = "link to the board revoked"
        case tokenReplaced = "admin token replaced"
        case tokenMade = "token made"
        case tokenRevoked = "token revoked"
        case sourceRecovered = "source recovered"
        case dataLost = "loss noted by a repair"
    }

    package let action: Action
    /// The write key of the source that changed.
    package var writeKey: String?
    /// Details of the change. Settings of destinations may contain secrets, so the log never contains their values.
    package var details: JSONObject = [:]

    package init(action: Action, writeKey: String? = nil, details: JSONObject = [:]) {
        (self.action, self.writeKey, self.details) = (action, writeKey, details)
    }
}
