#if canImport(SwiftUI)
public import SwiftUI
public import TributaryJSON

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 7.0, *)
extension View {
    /// Tracks a screen each time this view appears.
    /// - Parameters:
    ///   - title: the screen's name.
    ///   - category: the group of screens that it belongs to.
    ///   - properties: the properties of the event.
    ///   - analytics: the client; nil tracks nothing, for instance in previews.
    public func trackScreen(
        _ title: String, category: String? = nil, properties: [String: JSON] = [:], with analytics: Analytics?
    ) -> some View {
        onAppear {
            analytics?.screen(
                title, category, properties.isEmpty ? nil : .object(JSONObject(properties)), nil, [])
        }
    }

    /// Tracks an event each time that this view is tapped. The tap keeps its other effects.
    /// - Parameters:
    ///   - name: the event's name.
    ///   - properties: the properties of the event.
    ///   - analytics: the client; nil tracks nothing, for instance in previews.
    @available(tvOS 16.0, *)
    public func trackTap(
        _ name: String, properties: [String: JSON] = [:], with analytics: Analytics?
    ) -> some View {
        simultaneousGesture(
            TapGesture().onEnded {
                analytics?.track(name, properties.isEmpty ? nil : .object(JSONObject(properties)), nil, [])
            })
    }

    /// Reports the addresses that the app is opened with to the client, while this view is in a window.
    @available(macOS 11.0, iOS 14.0, tvOS 14.0, *)
    public func trackOpenedURLs(with analytics: Analytics?) -> some View {
        onOpenURL { url in analytics?.openURL(url) }
    }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 7.0, *)
extension EnvironmentValues {
    /// The client of the views below. Set it with `.environment(\.analytics, client)`; the default is nil.
    public var analytics: Analytics? {
        get { self[AnalyticsKey.self] }
        set { self[AnalyticsKey.self] = newValue }
    }

    private struct AnalyticsKey: EnvironmentKey {
        static var defaultValue: Analytics? { nil }
    }
}
#endif
