import AnalyticsLive
import Foundation
import Tributary
import TributaryTesting

/// A client with live plugins, filters and a destination of its own, as an app has it.
struct Device: Sendable {
    private static let names = 20
    private static let flushTimeout = 60.0
    /// More events than a client tracks before they are sent.
    private static let memory = 10_000

    /// Shops by which the devices are spread evenly, so that a script can concern 3 % of the sessions.
    private static let shops = 33

    private let analytics: Analytics
    private let shop: Int

    /// A device that asks for settings by itself, with a transport of its own, as an app that is in use.
    /// - Parameters:
    ///   - interval: seconds between two requests for settings.
    ///   - isPushed: whether it has a request held, too.
    init(server: String, writeKey: String, clock: ManualClock, interval: TimeInterval, isPushed: Bool) {
        let configuration = Configuration(writeKey: writeKey)
            .apiHost("\(server)/v1").cdnHost("\(server)/v1")
            .storageMode(.memory(Self.memory)).timeSource(clock)
            .settingsInterval(interval).settingsPush(isPushed)
        analytics = Analytics(configuration: configuration)
        shop = 0
    }

    /// A device that tracks in rounds.
    /// - Parameter number: the number among all devices, from 0.
    init(number: Int, server: String, writeKey: String, clock: ManualClock, transport: any Transport) {
        shop = number % Self.shops
        let configuration = Configuration(writeKey: writeKey)
            .apiHost("\(server)/v1").cdnHost("\(server)/v1")
            .storageMode(.memory(Self.memory)).timeSource(clock).transport(transport)
            // Events are sent at the end of each round.
            .flushAt(Self.memory).flushInterval(0).settingsInterval(0)
        analytics = Analytics(configuration: configuration)
        analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
        analytics.add(plugin: DestinationFilters())
        analytics.add(plugin: Partner())
    }

    var counters: EventCounters { analytics.counters }

    func round(events: Int) async {
        await withCheckedContinuation { done in analytics.refreshSettings { done.resume() } }
        for number in 0..<events {
            analytics.track(name: "Event \(number % Self.names)", properties: ["total": 42, "shop": shop])
        }
        _ = await analytics.flush(timeout: Self.flushTimeout)
    }

    /// Sends the remaining events, and ends.
    func end() async {
        _ = await analytics.flush(timeout: Self.flushTimeout)
        await withCheckedContinuation { done in analytics.shutdown { done.resume() } }
    }
}
