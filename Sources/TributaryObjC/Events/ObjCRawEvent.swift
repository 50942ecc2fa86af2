public import Foundation

/// An event in the pipeline, for code in Objective-C: `SEGRawEvent`.
#if canImport(ObjectiveC)
@objc(SEGRawEvent)
#endif
public protocol ObjCRawEvent: NSObjectProtocol {
    /// `track`, `identify`, `screen`, `group` or `alias`.
    var type: String? { get }
    /// The id of the device or installation.
    var anonymousId: String? { get set }
    /// The permanent id of the event.
    var messageId: String? { get set }
    /// The id of the user; nil for an unknown user.
    var userId: String? { get set }
    /// The time of the event, as a protocol timestamp.
    var timestamp: String? { get set }
    /// The context: facts about app, device and system.
    var context: [String: Any]? { get set }
    /// The destinations that may get the event.
    var integrations: [String: Any]? { get set }
}
