public import Foundation

/// The plugins that the client of `TributaryObjC` accepts: `SEGPlugin` in Objective-C. On other systems it is a plain
/// protocol.
#if canImport(ObjectiveC)
@objc(SEGPlugin)
#endif
public protocol ObjCPlugin: NSObjectProtocol {}

/// Makes a plugin that is written in Swift available to code in Objective-C.
///
/// ```swift not compiled: needs Objective-C
/// @objc(SEGMixpanelDestination)
/// public final class ObjCMixpanel: NSObject, ObjCPlugin, ObjCPluginShim {
///     public func instance() -> any EventPlugin { MixpanelDestination() }
/// }
/// ```
public protocol ObjCPluginShim: ObjCPlugin {
    /// The plugin to add.
    func instance() -> any EventPlugin
}
