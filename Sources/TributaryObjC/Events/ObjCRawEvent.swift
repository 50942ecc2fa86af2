public import Foundation

/// An event on its way, as code in Objective-C sees it: `SEGRawEvent`.
#if canImport(ObjectiveC)
@objc(SEGRawEvent)
#endif
public protocol ObjCRawEvent: NSObjectProtocol {
    /// `track`, `identify`, `screen`, `group` or `alias`.
    var type: String? { get }
    /// Identifies the device or installation.
    var anonymousId: String? { get set }
    /// Identifies the event for good.
    var messageId: String? { get set }
    /// Identifies the user, once known.
    var userId: String? { get set }
    /// When it happened, as a protocol timestamp.
    var timestamp: String? { get set }
    /// What is known of app, device and surroundings.
    var context: [String: Any]? { get set }
    /// Which destinations may see the event.
    var integrations: [String: Any]? { get set }
}
