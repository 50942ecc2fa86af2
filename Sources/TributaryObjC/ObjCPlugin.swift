public import Foundation
public import Tributary

/// A class in Objective-C conforms to it to see and change events: `TRBEventPlugin`.
///
/// ```objc
/// @interface RenamingPlugin : NSObject <TRBEventPlugin>
/// @end
/// ```
///
/// Objective-C cannot make subclasses of classes that are written in Swift, so a plugin in Objective-C is an object of the
/// app's own class, which `addPlugin:` puts into the timeline.
#if canImport(ObjectiveC)
@objc(TRBEventPlugin)
#endif
public protocol ObjCEventHandler: ObjCPlugin {
    /// Returns the event that goes on, changed or not, or nil to drop it.
    ///
    /// Called for one event after another, never on the main thread. When the result is not an event of this library,
    /// the event stays unchanged, and there is a diagnostic.
    func executeEvent(_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)?
}

/// An enrichment plugin, as the base of `SEGBlockPlugin` and of subclasses in Swift: `SEGEventPlugin`. A class in
/// Objective-C conforms to `TRBEventPlugin` instead.
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

    /// The name of the class that the app wrote, for diagnostics.
    var author: String { "\(Swift.type(of: self))" }

    public func execute(event: BaseEvent) -> BaseEvent? {
        guard let shown = ObjCEvent.showing(event) else { return event }
        guard let answer = executeEvent(shown) else { return nil }
        if let answer = answer as? ObjCEvent {
            for problem in answer.problems { analytics?.reportInternalError(ObjCError("\(author): \(problem)")) }
            return answer.rawEvent
        }
        analytics?.reportInternalError(ObjCError("\(author) returned an object that is not an event"))
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

/// Puts an object of a class in Objective-C into a timeline.
final class ObjCHandlerPlugin: ObjCEventPlugin {
    private let handler: any ObjCEventHandler

    init(_ handler: any ObjCEventHandler) { self.handler = handler }

    override var author: String { "\(Swift.type(of: handler))" }

    override func executeEvent(_ event: (any ObjCRawEvent)?) -> (any ObjCRawEvent)? { handler.executeEvent(event) }
}
