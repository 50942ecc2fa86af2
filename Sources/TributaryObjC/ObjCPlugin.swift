public import Foundation
public import Tributary

/// An enrichment plugin, as the base of subclasses in Objective-C: `SEGEventPlugin`.
#if canImport(ObjectiveC)
@objc(SEGEventPlugin) @objcMembers
#endif
open class ObjCEventPlugin: NSObject, Plugin, ObjCPlugin {
    public let type = PluginType.enrichment
    public weak var analytics: Analytics?

    /// Returns the event that goes on, changed or not, or nil to drop it. Default: the event unchanged.
    ///
    /// Called for one event after another, never on the main thread. When the result is not an event of this library,
    /// the event stays unchanged.
    open func executeEvent(_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)? { event }

    public func execute(event: BaseEvent) -> BaseEvent? {
        guard let shown = ObjCEvent.showing(event) else { return event }
        guard let answer = executeEvent(shown) else { return nil }
        if let answer = answer as? ObjCEvent {
            for problem in answer.problems {
                analytics?.reportInternalError(ObjCError("\(Swift.type(of: self)): \(problem)"))
            }
            return answer.rawEvent
        }
        analytics?.reportInternalError(ObjCError("\(Swift.type(of: self)) returned an object that is not an event"))
        return event
    }
}

/// A block as an enrichment plugin: `SEGBlockPlugin`.
#if canImport(ObjectiveC)
@objc(SEGBlockPlugin) @objcMembers
#endif
public final class ObjCBlockPlugin: ObjCEventPlugin {
    private let block: (_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)?

    /// A plugin that calls the block.
    public init(block: @escaping (_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)?) { self.block = block }

    public override func executeEvent(_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)? { block(event) }
}
