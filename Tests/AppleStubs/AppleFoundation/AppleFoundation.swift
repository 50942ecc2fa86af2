import Dispatch
public import Foundation

// What Apple's Foundation has and that of Linux has not, as far as the client uses it. It is imported into every file.
#if canImport(Darwin)
@_exported public import Darwin
#endif

#if canImport(Darwin)
// Not read: foundation/nsuseractivity
open class NSUserActivity: NSObject {
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var webpageURL: URL?
    open var referrerURL: URL?
    public init(activityType: String) { self.activityType = activityType }
}

// Not read: corefoundation/cfrunloop, and its functions
public final class CFRunLoop {}
// Not read: corefoundation/cfrunloopmode
public struct CFRunLoopMode: RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    public static let commonModes: CFRunLoopMode! = CFRunLoopMode(rawValue: "kCFRunLoopCommonModes")
}
// Not read: corefoundation/cfrunloopgetcurrent()
public func CFRunLoopGetCurrent() -> CFRunLoop! { nil }
// Not read: corefoundation/cfrunloopperformblock(_:_:_:)
public func CFRunLoopPerformBlock(_ loop: CFRunLoop!, _ mode: Any!, _ block: (() -> Void)!) {}
// Not read: corefoundation/cfrunloopwakeup(_:)
public func CFRunLoopWakeUp(_ loop: CFRunLoop!) {}

// Not read: foundation/nsuseractivitytypebrowsingweb
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
#endif

extension Notification.Name {
    // https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/nsprocessinfopowerstatedidchange
    @available(macOS 12.0, iOS 9.0, tvOS 9.0, watchOS 2.0, *)
    public static let NSProcessInfoPowerStateDidChange = Notification.Name("NSProcessInfoPowerStateDidChange")
}

extension ProcessInfo {
    // https://developer.apple.com/documentation/foundation/processinfo/islowpowermodeenabled
    @available(macOS 12.0, iOS 9.0, tvOS 9.0, watchOS 2.0, *)
    public var isLowPowerModeEnabled: Bool { false }

    // https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
    /// Runs the block at once; the system would call it again, with `true`, when the time is over.
    @available(iOS 8.2, tvOS 9.0, watchOS 2.0, *)
    @available(macOS, unavailable)
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        DispatchQueue.global().async { block(false) }
    }
}

#if canImport(Darwin)
extension FileManager {
    // https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
#endif

#if canImport(Darwin) && canImport(FoundationNetworking)
public import FoundationNetworking

extension URLSessionConfiguration {
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sessionsendslaunchevents
    @available(macOS 11.0, *)
    public var sessionSendsLaunchEvents: Bool {
        get { true }
        set {}
    }
    // https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowsconstrainednetworkaccess
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set {}
    }
}
#endif
