public import Foundation
import TributaryJSON

extension Analytics {
    /// Reports that the app was opened with an address.
    ///
    /// The address becomes the `context.referrer` of later events until the next call. Plugins that conform to
    /// `OpeningURLs` get the address, and the client tracks "Deep Link Opened" with the options and the address. Remove
    /// secrets from the address before this call.
    /// - Parameter options: further properties of the event, such as `referring_application`.
    public func openURL(_ url: URL, options: [String: Any] = [:]) {
        guard acceptsEvents else { return }
        setReferrer(url.absoluteString)
        visit((any OpeningURLs).self) { $0.openURL(url, options: options) }
        var properties = options
        properties["url"] = url.absoluteString
        track(name: "Deep Link Opened", properties: properties)
    }

    /// Sets the referrer: the `context.referrer` of later events.
    package func setReferrer(_ address: String) {
        let change: @Sendable (inout UserInfo) -> Void = { $0.referrerText = address }
        if holds(.init(other: { $0.identity.change(change, record: { _ in nil }) })) {
            return identity.preview(change)
        }
        identity.change(change, record: { _ in nil })
    }

    /// Reports that the app was opened with an address, with typed properties.
    public func openURL<Options: Encodable>(_ url: URL, options: Options? = nil) {
        guard let options else { return openURL(url) }
        var leftOut: [LeftOutValue] = []
        let json = JSON.converted(encoding: options, nonFinite: values.nonFiniteNumbers, leftOut: &leftOut)
        if !leftOut.isEmpty { report(.leftOut(leftOut, of: "openURL")) }
        if let json, json.objectValue == nil {
            report(Diagnostic(.invalidValue, "openURL: options must be an object, not \(Options.self)"))
        }
        openURL(url, options: json?.dictionaryValue ?? [:])
    }

    /// Reports that the app continues an activity. Plugins that conform to `UserActivities` get the activity. A link
    /// from the web counts as an address that opened the app, as in `openURL`.
    public func continueUserActivity(_ activity: UserActivity) {
        guard acceptsEvents else { return }
        visit((any UserActivities).self) { $0.continueUserActivity(activity) }
        guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return }
        openURL(url, options: activity.title.map { ["title": $0] } ?? [:])
    }
}
