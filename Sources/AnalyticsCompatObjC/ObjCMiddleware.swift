import AnalyticsCompat
public import Foundation

/// The kind of a call, for Objective-C.
@objc(SEGEventType)
public enum ObjCEventType: Int {
    case undefined
    case identify
    case track
    case screen
    case group
    case alias
    case reset
    case flush
    case receivedRemoteNotification
    case failedToRegisterForRemoteNotifications
    case registeredForRemoteNotifications
    case handleActionWithForRemoteNotification
    case applicationLifecycle
    case continueUserActivity
    case openURL
}

/// A context while it is changed, for Objective-C.
@objc(SEGMutableContext)
public protocol ObjCMutableContext: NSObjectProtocol {
    @objc(eventType) var eventType: ObjCEventType { get set }
    @objc(payload) var payload: ObjCPayload? { get set }
    @objc(error) var error: (any Error)? { get set }
    @objc(debug) var debug: Bool { get set }
}

/// One call, as middleware sees it, for Objective-C.
@objc(SEGContext)
// Unchecked because the context is safe from any thread, and constant here.
public final class ObjCContext: NSObject, NSCopying, @unchecked Sendable {
    let context: Context

    init(_ context: Context) { self.context = context }

    @objc(initWithAnalytics:) public convenience init(analytics: ObjCAnalytics) {
        self.init(Context(analytics: analytics.client))
    }

    /// A copy that does not follow later changes. The payload is the same.
    public func copy(with zone: NSZone? = nil) -> Any { ObjCContext(context.copy()) }

    @objc(_analytics) public var _analytics: ObjCAnalytics { ObjCAnalytics(context._analytics) }
    @objc(eventType) public var eventType: ObjCEventType {
        ObjCEventType(rawValue: context.eventType.rawValue) ?? .undefined
    }
    @objc(payload) public var payload: ObjCPayload? { ObjCPayload.of(context.payload) }
    @objc(userId) public var userId: String? { context.userId }
    @objc(anonymousId) public var anonymousId: String? { context.anonymousId }
    @objc(error) public var error: (any Error)? { context.error }
    @objc(debug) public var debug: Bool { context.debug }

    @objc(modify:)
    public func modify(_ modify: (any ObjCMutableContext) -> Void) -> ObjCContext {
        ObjCContext(context.modify { modify(Changing($0)) })
    }

    private final class Changing: NSObject, ObjCMutableContext {
        private let context: any SEGMutableContext
        init(_ context: any SEGMutableContext) { self.context = context }

        @objc(eventType) var eventType: ObjCEventType {
            get { ObjCEventType(rawValue: context.eventType.rawValue) ?? .undefined }
            set { context.eventType = EventType(rawValue: newValue.rawValue) ?? .undefined }
        }
        @objc(payload) var payload: ObjCPayload? {
            get { ObjCPayload.of(context.payload) }
            set { context.payload = newValue?.payload }
        }
        @objc(error) var error: (any Error)? {
            get { context.error }
            set { context.error = newValue }
        }
        @objc(debug) var debug: Bool {
            get { context.debug }
            set { context.debug = newValue }
        }
    }
}

/// Sees each call of a client, for Objective-C.
@objc(SEGMiddleware)
public protocol ObjCMiddleware: NSObjectProtocol {
    @objc(context:next:) func context(_ context: ObjCContext, next: @escaping @Sendable (ObjCContext?) -> Void)
}

/// Middleware that is a block of Objective-C.
@objc(SEGBlockMiddleware)
public final class ObjCBlockMiddleware: NSObject, ObjCMiddleware {
    @objc(block) public let block: (ObjCContext, @escaping @Sendable (ObjCContext?) -> Void) -> Void

    @objc(initWithBlock:)
    public init(block: @escaping (ObjCContext, @escaping @Sendable (ObjCContext?) -> Void) -> Void) {
        self.block = block
    }

    @objc(context:next:)
    public func context(_ context: ObjCContext, next: @escaping @Sendable (ObjCContext?) -> Void) {
        block(context, next)
    }
}

/// Middleware of Objective-C among the client's.
final class MiddlewareAdapter: Middleware {
    let middleware: any ObjCMiddleware

    init(_ middleware: any ObjCMiddleware) { self.middleware = middleware }

    func context(_ context: Context, next: @escaping SEGMiddlewareNext) {
        middleware.context(ObjCContext(context)) { next($0?.context) }
    }
}
