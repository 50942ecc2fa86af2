public import Foundation

/// What the client of `TributaryObjC` takes as a plugin: `SEGPlugin` in Objective-C. Elsewhere a plain protocol.
#if canImport(ObjectiveC)
@objc(SEGPlugin)
#endif
public protocol ObjCPlugin: NSObjectProtocol {}

/// Stands for a plugin that is written in Swift, in code of Objective-C.
///
/// ```swift
/// @objc(SEGMixpanelDestination)
/// public final class ObjCMixpanel: NSObject, ObjCPlugin, ObjCPluginShim {
///     public func instance() -> any EventPlugin { MixpanelDestination() }
/// }
/// ```
public protocol ObjCPluginShim: ObjCPlugin {
    /// The plugin to add.
    func instance() -> any EventPlugin
}
