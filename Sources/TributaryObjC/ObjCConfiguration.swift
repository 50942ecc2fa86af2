public import Tributary
import TributaryJSON

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The configuration of a client for code in Objective-C: `SEGConfiguration`.
///
/// The client copies the configuration when it is made; later changes have no effect on it.
#if canImport(ObjectiveC)
@objc(SEGConfiguration) @objcMembers
#endif
public final class ObjCConfiguration: NSObject {
    private let writeKey: String

    /// Has no effect; it exists for code that sets it.
    public var application: Any?
    /// Whether the client tracks lifecycle events of the app. Default: true.
    public var trackApplicationLifecycleEvents = true
    /// The number of events that starts a delivery. Default: 20.
    public var flushAt = 20
    /// The longest time in seconds from an event to its delivery; 0 or less sets no limit. Default: 30.
    public var flushInterval: TimeInterval = 30
    /// Settings that apply before the client has ever received any. When a value has no JSON form, all of them are
    /// refused. Default: the cloud destination alone.
    public var defaultSettings: [String: Any] = [:]
    /// Whether events go to the server that `apiHost` names. Default: true.
    public var autoAddSegmentDestination = true
    /// Host and path for events. Default: those in the settings.
    public var apiHost: String?
    /// Host and path for settings. Default: the field's own.
    public var cdnHost: String?
    /// Changes each request before it is sent, on threads of the client. Default: none.
    public var requestFactory: (@Sendable (URLRequest) -> URLRequest)?
    /// Called with errors, on a background thread. Default: none.
    public var errorHandler: (@Sendable (any Error) -> Void)?
    /// The value of `context.userAgent`. Default: the names and versions of library and system.
    public var userAgent: String?

    /// A configuration with the defaults.
    public init(writeKey: String) { self.writeKey = writeKey }

    /// The equivalent configuration in Swift.
    public var configuration: Configuration {
        let configuration = Configuration(writeKey: writeKey)
            .trackApplicationLifecycleEvents(trackApplicationLifecycleEvents)
            .flushAt(flushAt).flushInterval(flushInterval)
            .autoAddSegmentDestination(autoAddSegmentDestination)
            .errorHandler(errorHandler).userAgent(userAgent)
        if let apiHost { configuration.apiHost(apiHost) }
        if let cdnHost { configuration.cdnHost(cdnHost) }
        if let requestFactory { configuration.requestFactory(requestFactory) }
        if !defaultSettings.isEmpty { configuration.defaultSettings(settings) }
        return configuration
    }

    private var settings: Settings? {
        do {
            return Settings(document: try JSON(defaultSettings).objectValue ?? [:])
        } catch {
            errorHandler?(ObjCError("defaultSettings: \(error)"))
            return nil
        }
    }
}
