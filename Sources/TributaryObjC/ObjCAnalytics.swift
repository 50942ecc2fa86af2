public import Foundation
public import Tributary
import TributaryJSON

/// A client for code in Objective-C: `TRBAnalytics`, and `SEGAnalytics` with `@import TributaryObjCNames`.
#if canImport(ObjectiveC)
@objc(TRBAnalytics) @objcMembers
#endif
public final class ObjCAnalytics: NSObject, Sendable {
    /// The client in Swift.
    public let analytics: Analytics

    /// A client with the present values of the configuration.
    public init(configuration: ObjCConfiguration) { analytics = Analytics(configuration: configuration.configuration) }

    /// Makes an existing client available to code in Objective-C.
    public init(wrapping analytics: Analytics) { self.analytics = analytics }

    // MARK: Events

    /// Tracks an action of the user.
    public func track(_ name: String) { analytics.track(name: name) }

    /// Tracks an action of the user, with properties.
    public func track(_ name: String, properties: [String: Any]?) {
        analytics.track(name: name, properties: properties)
    }

    /// Identifies the user.
    public func identify(_ userId: String) { analytics.identify(userId: userId) }

    /// Identifies the user by an id and traits. Without an id, the traits are added to the present user.
    public func identify(_ userId: String?, traits: [String: Any]?) {
        if let userId {
            analytics.identify(userId: userId, traits: traits)
        } else if let traits {
            analytics.identify(traits: traits)
        }
    }

    /// Tracks a screen that the user sees.
    public func screen(_ title: String) { analytics.screen(title: title) }

    /// Tracks a screen that the user sees, in a category of screens.
    public func screen(_ title: String, category: String?) { analytics.screen(title: title, category: category) }

    /// Tracks a screen that the user sees, with its properties.
    public func screen(_ title: String, category: String?, properties: [String: Any]?) {
        analytics.screen(title: title, category: category, properties: properties)
    }

    /// Associates the user with a group.
    public func group(_ groupId: String) { analytics.group(groupId: groupId) }

    /// Associates the user with a group, with traits of the group.
    public func group(_ groupId: String, traits: [String: Any]?) { analytics.group(groupId: groupId, traits: traits) }

    /// Gives the user a new id.
    public func alias(_ newId: String) { analytics.alias(newId: newId) }

    // MARK: State

    /// The anonymous id of this installation, until the next reset.
    public var anonymousId: String { analytics.anonymousId }

    /// The id of the user; nil before the first `identify`.
    public var userId: String? { analytics.userId }

    /// The traits of the user.
    public func traits() -> [String: Any]? { analytics.traits() }

    /// The settings that apply; nil before the first settings.
    public func settings() -> [String: Any]? {
        analytics.settings().map { JSON.object($0.document).dictionaryValue ?? [:] }
    }

    /// Whether the client accepts calls. The value is kept across launches.
    public var enabled: Bool {
        get { analytics.enabled }
        set { analytics.enabled = newValue }
    }

    /// Sends the events of earlier calls; returns at once.
    public func flush() { analytics.flush() }

    /// Forgets the user: a new anonymous id, no user id, no traits.
    public func reset() { analytics.reset() }

    /// Reports that the app was opened with an address.
    public func openURL(_ url: URL, options: [String: Any]) { analytics.openURL(url, options: options) }

    /// The version of the library.
    public func version() -> String { analytics.version() }

    // MARK: Plugins

    /// Adds a plugin that is written in Objective-C (a `TRBEventPlugin` or `SEGBlockPlugin`), or the Swift plugin of an
    /// `ObjCPluginShim`. For anything else, there is a diagnostic.
    public func addPlugin(_ plugin: (any ObjCPlugin)?) {
        if let plugin = native(plugin) { analytics.add(plugin: plugin) }
    }

    /// Adds a plugin to the timeline of a destination, by the destination's key.
    public func addPlugin(_ plugin: (any ObjCPlugin)?, destinationKey: String) {
        guard let destination = analytics.find(key: destinationKey) else {
            return analytics.reportInternalError(
                ObjCError(
                    "a plugin cannot be added to the destination \"\(destinationKey)\", because that was not added"))
        }
        if let plugin = native(plugin) { destination.add(plugin: plugin) }
    }

    private func native(_ plugin: (any ObjCPlugin)?) -> (any Plugin)? {
        if let shim = plugin as? any ObjCPluginShim { return shim.instance() }
        if let plugin = plugin as? ObjCEventPlugin { return plugin }
        if let handler = plugin as? any ObjCEventHandler { return ObjCHandlerPlugin(handler) }
        if let plugin {
            analytics.reportInternalError(
                ObjCError("\(type(of: plugin)) is no SEGBlockPlugin, no TRBEventPlugin and no ObjCPluginShim"))
        }
        return nil
    }
}
