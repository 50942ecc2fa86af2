// The names that analytics-ios had before it had names for Swift, and the names in its first documentation.

/// The client.
@available(*, deprecated, renamed: "Analytics")
public typealias SEGAnalytics = Analytics
/// The configuration.
@available(*, deprecated, renamed: "AnalyticsConfiguration")
public typealias SEGAnalyticsConfiguration = AnalyticsConfiguration
/// Experimental options.
@available(*, deprecated, renamed: "AnalyticsExperimental")
public typealias SEGAnalyticsExperimental = AnalyticsExperimental
/// Middleware.
@available(*, deprecated, renamed: "Middleware")
public typealias SEGMiddleware = Middleware
/// A closure as middleware.
@available(*, deprecated, renamed: "BlockMiddleware")
public typealias SEGBlockMiddleware = BlockMiddleware
/// Runs contexts through middleware.
@available(*, deprecated, renamed: "MiddlewareRunner")
public typealias SEGMiddlewareRunner = MiddlewareRunner
/// Middleware of one destination.
@available(*, deprecated, renamed: "DestinationMiddleware")
public typealias SEGDestinationMiddleware = DestinationMiddleware
/// Middleware that is made from the settings.
@available(*, deprecated, renamed: "EdgeFunctionMiddleware")
public typealias SEGEdgeFunctionMiddleware = EdgeFunctionMiddleware
/// One call in middleware.
@available(*, deprecated, renamed: "Context")
public typealias SEGContext = Context
/// The kind of a call.
@available(*, deprecated, renamed: "EventType")
public typealias SEGEventType = EventType
/// A destination on the device.
@available(*, deprecated, renamed: "Integration")
public typealias SEGIntegration = Integration
/// The payload of a call.
@available(*, deprecated, renamed: "Payload")
public typealias SEGPayload = Payload
/// The payload of an identify call.
@available(*, deprecated, renamed: "IdentifyPayload")
public typealias SEGIdentifyPayload = IdentifyPayload
/// The payload of a track call.
@available(*, deprecated, renamed: "TrackPayload")
public typealias SEGTrackPayload = TrackPayload
/// The payload of a screen call.
@available(*, deprecated, renamed: "ScreenPayload")
public typealias SEGScreenPayload = ScreenPayload
/// The payload of a group call.
@available(*, deprecated, renamed: "GroupPayload")
public typealias SEGGroupPayload = GroupPayload
/// The payload of an alias call.
@available(*, deprecated, renamed: "AliasPayload")
public typealias SEGAliasPayload = AliasPayload
/// The payload of an identify call.
@available(*, deprecated, renamed: "IdentifyPayload")
public typealias SEGIdentify = IdentifyPayload
/// The payload of a track call.
@available(*, deprecated, renamed: "TrackPayload")
public typealias SEGTrack = TrackPayload
/// The payload of a screen call.
@available(*, deprecated, renamed: "ScreenPayload")
public typealias SEGScreen = ScreenPayload
/// The payload of a group call.
@available(*, deprecated, renamed: "GroupPayload")
public typealias SEGGroup = GroupPayload
/// The payload of an alias call.
@available(*, deprecated, renamed: "AliasPayload")
public typealias SEGAlias = AliasPayload
/// The payload of a change in the life of the app.
@available(*, deprecated, renamed: "ApplicationLifecyclePayload")
public typealias SEGApplicationLifecyclePayload = ApplicationLifecyclePayload
/// The payload of an activity that the app continues.
@available(*, deprecated, renamed: "ContinueUserActivityPayload")
public typealias SEGContinueUserActivityPayload = ContinueUserActivityPayload
/// The payload of an address that the app was opened with.
@available(*, deprecated, renamed: "OpenURLPayload")
public typealias SEGOpenURLPayload = OpenURLPayload
/// The payload of a call about push notifications.
@available(*, deprecated, renamed: "RemoteNotificationPayload")
public typealias SEGRemoteNotificationPayload = RemoteNotificationPayload
/// Grants time for work in the background.
@available(*, deprecated, renamed: "ApplicationProtocol")
public typealias SEGApplicationProtocol = ApplicationProtocol
/// A type with its own JSON form.
@available(*, deprecated, renamed: "SegmentSerializable")
public typealias SEGSerializableValue = SegmentSerializable
/// Makes an integration that posts each event.
@available(*, deprecated, renamed: "WebhookIntegrationFactory")
public typealias SEGWebhookIntegrationFactory = WebhookIntegrationFactory
