import TributaryJSON

/// A lifecycle event that is to be tracked.
struct LifecycleEvent: Equatable, Sendable {
    let kind: TrackedLifecycleEvent
    let name: String
    let properties: JSONObject?

    static func installed(_ application: ApplicationVersion) -> LifecycleEvent {
        LifecycleEvent(
            kind: .applicationInstalled, name: "Application Installed", properties: application.properties)
    }

    static func updated(_ application: ApplicationVersion, from previous: ApplicationVersion) -> LifecycleEvent {
        var properties = application.properties
        properties["previous_version"] = previous.version.map(JSON.string)
        properties["previous_build"] = previous.build.map(JSON.string)
        return LifecycleEvent(kind: .applicationUpdated, name: "Application Updated", properties: properties)
    }

    static func opened(
        _ application: ApplicationVersion, fromBackground: Bool, url: String? = nil, referringApplication: String? = nil
    ) -> LifecycleEvent {
        var properties = application.properties
        properties["from_background"] = .bool(fromBackground)
        properties["url"] = url.map(JSON.string)
        properties["referring_application"] = referringApplication.map(JSON.string)
        return LifecycleEvent(kind: .applicationOpened, name: "Application Opened", properties: properties)
    }

    static let foregrounded = LifecycleEvent(
        kind: .applicationForegrounded, name: "Application Foregrounded", properties: nil)
    static let backgrounded = LifecycleEvent(
        kind: .applicationBackgrounded, name: "Application Backgrounded", properties: nil)
    static let hidden = LifecycleEvent(kind: .applicationHidden, name: "Application Hidden", properties: nil)
    static let unhidden = LifecycleEvent(kind: .applicationUnhidden, name: "Application Unhidden", properties: nil)
    static let terminated = LifecycleEvent(
        kind: .applicationTerminated, name: "Application Terminated", properties: nil)
}
