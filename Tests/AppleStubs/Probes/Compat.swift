// Compiles only when the parts of the analytics-ios interface that belong to Apple's systems were compiled.
@testable import AnalyticsCompat
@testable import AnalyticsCompatObjC

#if !os(watchOS)
let purchases: Any.Type = PurchaseObserver.self
#endif
#if os(macOS)
let lifecycle: Any.Type = (any macOSLifecycleEvents).self
func tell(_ middlewarePlugin: MiddlewarePlugin) { middlewarePlugin.applicationDidResignActive() }
#elseif !os(watchOS)
let screens: Any.Type = ScreenRecorder.self
let reporting: Any.Type = (any SEGScreenReporting).self
func tell(_ middlewarePlugin: MiddlewarePlugin) { middlewarePlugin.applicationDidEnterBackground(application: nil) }
#endif
let classes: [Any.Type] = [ObjCAnalytics.self, ObjCConfiguration.self, ObjCContext.self, ObjCTrackPayload.self]
