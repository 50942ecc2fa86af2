// The names that analytics-ios had before it had names for Swift, and those of its first documents.

/// The client.
@available(*, deprecated, renamed: "Analytics")
public typealias SEGAnalytics = Analytics
/// The configuration.
@available(*, deprecated, renamed: "AnalyticsConfiguration")
public typealias SEGAnalyticsConfiguration = AnalyticsConfiguration
/// Options that may be taken away again.
@available(*, deprecated, renamed: "AnalyticsExperimental")
public typealias SEGAnalyticsExperimental = AnalyticsExperimental
/// Middleware.
@available(*, deprecated, renamed: "Middleware")
public typealias SEGMiddleware = Middleware
/// Middleware that is a closure.
@available(*, deprecated, renamed: "BlockMiddleware")
public typealias SEGBlockMiddleware = BlockMiddleware
/// Runs contexts through middleware.
@available(*, deprecated, renamed: "MiddlewareRunner")
public typealias SEGMiddlewareRunner = MiddlewareRunner
/// Middleware of one destination.
@available(*, deprecated, renamed: "DestinationMiddleware")
public typealias SEGDestinationMiddleware = DestinationMiddleware
/// Middleware that is made of what the settings say.
@available(*, deprecated, renamed: "EdgeFunctionMiddleware")
public typealias SEGEdgeFunctionMiddleware = EdgeFunctionMiddleware
/// One call on its way through middleware.
@available(*, deprecated, renamed: "Context")
public typealias SEGContext = Context
/// What a call is.
@available(*, deprecated, renamed: "EventType")
public typealias SEGEventType = EventType
/// A destination on the device.
@available(*, deprecated, renamed: "Integration")
public typealias SEGIntegration = Integration
/// What belongs to a call.
@available(*, deprecated, renamed: "Payload")
public typealias SEGPayload = Payload
/// What belongs to an identify call.
@available(*, deprecated, renamed: "IdentifyPayload")
public typealias SEGIdentifyPayload = IdentifyPayload
/// What belongs to a track call.
@available(*, deprecated, renamed: "TrackPayload")
public typealias SEGTrackPayload = TrackPayload
/// What belongs to a screen call.
@available(*, deprecated, renamed: "ScreenPayload")
public typealias SEGScreenPayload = ScreenPayload
/// What belongs to a group call.
@available(*, deprecated, renamed: "GroupPayload")
public typealias SEGGroupPayload = GroupPayload
/// What belongs to an alias call.
@available(*, deprecated, renamed: "AliasPayload")
public typealias SEGAliasPayload = AliasPayload
/// What belongs to an identify call.
@available(*, deprecated, renamed: "IdentifyPayload")
public typealias SEGIdentify = IdentifyPayload
/// What belongs to a track call.
@available(*, deprecated, renamed: "TrackPayload")
public typealias SEGTrack = TrackPayload
/// What belongs to a screen call.
@available(*, deprecated, renamed: "ScreenPayload")
public typealias SEGScreen = ScreenPayload
/// What belongs to a group call.
@available(*, deprecated, renamed: "GroupPayload")
public typealias SEGGroup = GroupPayload
/// What belongs to an alias call.
@available(*, deprecated, renamed: "AliasPayload")
public typealias SEGAlias = AliasPayload
/// What belongs to something that happened to the app.
@available(*, deprecated, renamed: "ApplicationLifecyclePayload")
public typealias SEGApplicationLifecyclePayload = ApplicationLifecyclePayload
/// What belongs to an activity that the app goes on with.
@available(*, deprecated, renamed: "ContinueUserActivityPayload")
public typealias SEGContinueUserActivityPayload = ContinueUserActivityPayload
/// What belongs to an address that the app was opened with.
@available(*, deprecated, renamed: "OpenURLPayload")
public typealias SEGOpenURLPayload = OpenURLPayload
/// What belongs to a call about push notifications.
@available(*, deprecated, renamed: "RemoteNotificationPayload")
public typealias SEGRemoteNotificationPayload = RemoteNotificationPayload
/// Leaves time for work in the background.
@available(*, deprecated, renamed: "ApplicationProtocol")
public typealias SEGApplicationProtocol = ApplicationProtocol
/// Says itself what it is in JSON.
@available(*, deprecated, renamed: "SegmentSerializable")
public typealias SEGSerializableValue = SegmentSerializable
/// Makes an integration that posts each event.
@available(*, deprecated, renamed: "WebhookIntegrationFactory")
public typealias SEGWebhookIntegrationFactory = WebhookIntegrationFactory
