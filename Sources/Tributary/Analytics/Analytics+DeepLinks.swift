public import Foundation
import TributaryJSON

extension Analytics {
    /// Tells that the app was opened with an address.
    ///
    /// The address is the `context.referrer` of later events until the next one, plugins that are `OpeningURLs` are told,
    /// and "Deep Link Opened" is tracked with the options and the address. Whoever puts secrets into addresses takes them
    /// out before.
    /// - Parameter options: what belongs to it, such as `referring_application`.
    public func openURL(_ url: URL, options: [String: Any] = [:]) {
        guard acceptsEvents else { return }
        setReferrer(url.absoluteString)
        visit((any OpeningURLs).self) { $0.openURL(url, options: options) }
        var properties = options
        properties["url"] = url.absoluteString
        track(name: "Deep Link Opened", properties: properties)
    }

    /// Says where the user came from: the `context.referrer` of later events.
    package func setReferrer(_ address: String) {
        let change: @Sendable (inout UserInfo) -> Void = { $0.referrerText = address }
        if holds(.init(other: { $0.identity.change(change, record: { _ in nil }) })) {
            return identity.preview(change)
        }
        identity.change(change, record: { _ in nil })
    }

    /// Tells that the app was opened with an address, with what belongs to it as a type.
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

    /// Tells that the app goes on with an activity: plugins that are `UserActivities` are told, and a link from the web
    /// counts as the address that the app was opened with.
    public func continueUserActivity(_ activity: UserActivity) {
        guard acceptsEvents else { return }
        visit((any UserActivities).self) { $0.continueUserActivity(activity) }
        guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL else { return }
        openURL(url, options: activity.title.map { ["title": $0] } ?? [:])
    }
}
