public import Foundation
public import Tributary
import TributaryJSON

/// The base of the events of all types: `SEGEvent`.
///
/// A value without a JSON form is left out, and a diagnostic names the plugin that set it.
#if canImport(ObjectiveC)
@objc(SEGEvent) @objcMembers
#endif
open class ObjCEvent: NSObject, ObjCRawEvent {
    /// The event in Swift.
    public internal(set) var rawEvent: any RawEvent
    /// Descriptions of the values that were left out.
    var problems: [String] = []

    init(_ event: any RawEvent) { rawEvent = event }

    /// The event for Objective-C; nil for a type without a class there.
    public static func showing(_ event: any RawEvent) -> ObjCEvent? {
        switch event {
        case let event as TrackEvent: ObjCTrackEvent(event: event)
        case let event as IdentifyEvent: ObjCIdentifyEvent(event: event)
        case let event as ScreenEvent: ObjCScreenEvent(event: event)
        case let event as GroupEvent: ObjCGroupEvent(event: event)
        case let event as AliasEvent: ObjCAliasEvent(event: event)
        default: nil
        }
    }

    public var type: String? { rawEvent.type }

    public var anonymousId: String? {
        get { rawEvent.anonymousId }
        set { rawEvent.anonymousId = newValue }
    }

    public var messageId: String? {
        get { rawEvent.messageId }
        set { rawEvent.messageId = newValue }
    }

    public var userId: String? {
        get { rawEvent.userId }
        set { rawEvent.userId = newValue }
    }

    public var timestamp: String? {
        get { rawEvent.timestamp }
        set { rawEvent.timestamp = newValue }
    }

    public var context: [String: Any]? {
        get { members("context") }
        set { setMembers(newValue, "context") }
    }

    public var integrations: [String: Any]? {
        get { members("integrations") }
        set { setMembers(newValue, "integrations") }
    }

    func members(_ key: String) -> [String: Any]? { rawEvent.json[key]?.dictionaryValue }

    func setMembers(_ members: [String: Any]?, _ key: String) {
        guard let members else {
            rawEvent.json[key] = nil
            return
        }
        var leftOut: [LeftOutValue] = []
        rawEvent.json[key] = JSON.converted(members, leftOut: &leftOut)
        problems += leftOut.map { "\(key) goes on without \($0)" }
    }

    func text(_ key: String) -> String? { rawEvent.json[key]?.stringValue }
    func setText(_ text: String?, _ key: String) { rawEvent.json[key] = text.map(JSON.string) }
}
