public import Foundation
public import Tributary
import TributaryJSON

/// A client for code in Objective-C: `SEGAnalytics`.
#if canImport(ObjectiveC)
@objc(SEGAnalytics) @objcMembers
#endif
public final class ObjCAnalytics: NSObject, Sendable {
    /// The client behind it.
    public let analytics: Analytics

    /// A client, set up as the configuration says now.
    public init(configuration: ObjCConfiguration) { analytics = Analytics(configuration: configuration.configuration) }

    /// The same client for code in Swift and in Objective-C.
    public init(wrapping analytics: Analytics) { self.analytics = analytics }

    // MARK: Events

    /// Tracks something that the user did.
    public func track(_ name: String) { analytics.track(name: name) }

    /// Tracks something that the user did, with what belongs to it.
    public func track(_ name: String, properties: [String: Any]?) {
        analytics.track(name: name, properties: properties)
    }

    /// Says who the user is.
    public func identify(_ userId: String) { analytics.identify(userId: userId) }

    /// Says who the user is and what is known of them; without an id, what is known of the user so far.
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

    /// Says which group the user belongs to.
    public func group(_ groupId: String) { analytics.group(groupId: groupId) }

    /// Says which group the user belongs to, and what is known of it.
    public func group(_ groupId: String, traits: [String: Any]?) { analytics.group(groupId: groupId, traits: traits) }

    /// Says that the user is known under another id from now on.
    public func alias(_ newId: String) { analytics.alias(newId: newId) }

    // MARK: State

    /// Identifies this installation until the next reset.
    public var anonymousId: String { analytics.anonymousId }

    /// Identifies the user, once identified.
    public var userId: String? { analytics.userId }

    /// What is known of the user.
    public func traits() -> [String: Any]? { analytics.traits() }

    /// The settings that apply; nil until some do.
    public func settings() -> [String: Any]? {
        analytics.settings().map { JSON.object($0.document).dictionaryValue ?? [:] }
    }

    /// Whether calls are taken; kept across launches.
    public var enabled: Bool {
        get { analytics.enabled }
        set { analytics.enabled = newValue }
    }

    /// Sends what was tracked before this call; returns at once.
    public func flush() { analytics.flush() }

    /// Forgets the user: a new anonymous id, no user id, no traits.
    public func reset() { analytics.reset() }

    /// Passes on the address that the app was opened with.
    public func openURL(_ url: URL, options: [String: Any]) { analytics.openURL(url, options: options) }

    /// The version of the library.
    public func version() -> String { analytics.version() }

    // MARK: Plugins

    /// Adds a plugin that is written in Objective-C, or a Swift plugin by its `ObjCPluginShim`; a diagnostic reports
    /// anything else.
    public func addPlugin(_ plugin: (any ObjCPlugin)?) {
        if let plugin = native(plugin) { analytics.add(plugin: plugin) }
    }

    /// Adds a plugin to the timeline of a destination, by the destination's key.
    public func addPlugin(_ plugin: (any ObjCPlugin)?, destinationKey: String) {
        guard let destination = analytics.find(key: destinationKey) else {
            return analytics.reportInternalError(
                ObjCError("a plugin is for the destination \"\(destinationKey)\", which was not added"))
        }
        if let plugin = native(plugin) { destination.add(plugin: plugin) }
    }

    private func native(_ plugin: (any ObjCPlugin)?) -> (any Plugin)? {
        if let shim = plugin as? any ObjCPluginShim { return shim.instance() }
        if let plugin = plugin as? ObjCEventPlugin { return plugin }
        if let plugin {
            analytics.reportInternalError(
                ObjCError("\(type(of: plugin)) is neither a SEGEventPlugin nor the shim of a plugin"))
        }
        return nil
    }
}
