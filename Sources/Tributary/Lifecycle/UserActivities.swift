public import Foundation

/// For plugins that use the activities that the app continues: links from the web, handoff.
///
/// The function is called on the thread that calls `Analytics.continueUserActivity`, mostly the main thread.
public protocol UserActivities {
    /// The app continues an activity. Default: nothing.
    func continueUserActivity(_ activity: UserActivity)
}

extension UserActivities {
    public func continueUserActivity(_ activity: UserActivity) {}
}

/// For plugins that observe the addresses that the app is opened with.
///
/// The function is called on the thread that calls `Analytics.openURL`, mostly the main thread.
public protocol OpeningURLs {
    /// The app was opened with an address. Default: nothing.
    func openURL(_ url: URL, options: [String: Any])
}

extension OpeningURLs {
    public func openURL(_ url: URL, options: [String: Any]) {}
}

#if canImport(Darwin)
/// An activity: the system's own class.
public typealias UserActivity = NSUserActivity
#else
/// An activity, on systems without a class for it.
public struct UserActivity: Sendable, Equatable {
    /// The kind of activity, as a name in reverse domain order.
    public var activityType: String
    /// The title for the user.
    public var title: String?
    /// The web page with the same content.
    public var webpageURL: URL?
    /// The web page that led to the activity.
    public var referrerURL: URL?

    /// An activity.
    public init(activityType: String, title: String? = nil, webpageURL: URL? = nil, referrerURL: URL? = nil) {
        self.activityType = activityType
        self.title = title
        self.webpageURL = webpageURL
        self.referrerURL = referrerURL
    }
}

/// The activity of following a link from the web.
package let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"
#endif
