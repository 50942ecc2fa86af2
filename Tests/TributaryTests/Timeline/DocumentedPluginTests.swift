import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

/// Stands for the service's own library.
final class AppsFlyerLib: @unchecked Sendable {
    var appsFlyerDevKey = ""
    var appleAppID = ""
    weak var deepLinkDelegate: (any DeepLinkDelegate)?
    var deviceToken: Data?
    var activities: [String] = []
}

/// Stands for the service's protocol for links that it resolved.
protocol DeepLinkDelegate: AnyObject {}

/// Stands for the system's class that such a destination inherits from.
class UIResponder {
    init() {}
}

struct AppsFlyerSettings: Codable {
    let appsFlyerDevKey: String
    let appleAppID: String
    let trackAttributionData: Bool?
}

/// The destination of the plugin documentation.
class AppsFlyerDestination: UIResponder, DestinationPlugin, UserActivities, RemoteNotifications, DeepLinkDelegate {
    let timeline: Timeline = Timeline()
    let type: PluginType = .destination
    let name: String
    var analytics: Analytics?
    let library = AppsFlyerLib()
    internal var settings: AppsFlyerSettings?
    private(set) var tracked: [TrackEvent] = []

    required init(name: String) {
        self.name = name
        super.init()
    }

    func configure(analytics: Analytics) {
        self.analytics = analytics
        analytics.track(name: "AppsFlyer Loaded")
    }

    public func update(settings: Settings) {
        guard let settings: AppsFlyerSettings = settings.integrationSettings(name: "AppsFlyer") else { return }
        self.settings = settings
        library.appsFlyerDevKey = settings.appsFlyerDevKey
        library.appleAppID = settings.appleAppID
        library.deepLinkDelegate = self
    }

    func continueUserActivity(_ activity: UserActivity) { library.activities.append(activity.activityType) }

    func registeredForRemoteNotifications(deviceToken: Data) { library.deviceToken = deviceToken }

    func track(event: TrackEvent) -> TrackEvent? {
        tracked.append(event)
        return event
    }
}

@Suite("The destination of the plugin documentation")
struct DocumentedPluginTests {
    private func client(_ options: JSON) -> Client {
        let server = TestServer()
        server.answerSettings(["integrations": ["AppsFlyer": options]])
        return Client(server: server) { $0.flushAt(.max).flushInterval(0) }
    }

    @Test("The documented destination gets typed settings and each event once through its timeline")
    func works() async {
        let client = client(["appsFlyerDevKey": "dev", "appleAppID": "id1"])
        let destination = AppsFlyerDestination(name: "AppsFlyer")
        destination.add(
            plugin: Recorder(.enrichment) { event in
                var event = event
                event.context?["own"] = true
                return event
            })
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "AppsFlyer Event")
        await client.flushed()
        #expect(destination.library.appsFlyerDevKey == "dev" && destination.library.appleAppID == "id1")
        #expect(destination.tracked.map(\.event) == ["AppsFlyer Loaded", "AppsFlyer Event"])
        #expect(destination.tracked.allSatisfy { $0.context?["own"] == true })
        #expect(client.server.names == ["AppsFlyer Loaded", "AppsFlyer Event"])
        #expect(client.server.events.allSatisfy { $0["context"]?["own"] == nil })
        destination.analytics = nil
    }

    @Test("The documented destination stays off without settings", arguments: [[:], ["appleAppID": 7]] as [JSON])
    func mistyped(options: JSON) async {
        let client = client(options)
        let destination = AppsFlyerDestination(name: "AppsFlyer")
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "X")
        await client.flushed()
        #expect(destination.settings == nil && destination.library.appsFlyerDevKey.isEmpty)
        #expect(client.server.names == ["AppsFlyer Loaded", "X"])
        destination.analytics = nil
    }

    @Test("The documented destination gets activities and the push token")
    func systemCalls() async {
        let client = client(["appsFlyerDevKey": "dev", "appleAppID": "id1"])
        let destination = AppsFlyerDestination(name: "AppsFlyer")
        client.analytics.add(plugin: destination)
        client.analytics.continueUserActivity(UserActivity(activityType: "com.example.edit"))
        client.analytics.registeredForRemoteNotifications(deviceToken: Data([1, 2]))
        await client.flushed()
        #expect(destination.library.activities == ["com.example.edit"])
        #expect(destination.library.deviceToken == Data([1, 2]))
        #expect(destination.library.deepLinkDelegate === destination)
        destination.analytics = nil
    }
}
