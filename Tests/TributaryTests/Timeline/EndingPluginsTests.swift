import Dispatch
import TestSupport
import Testing

@testable import Tributary

@Suite("A plugin that is removed and added again")
struct EndingPluginsTests {
    /// Unchecked because the calls are behind the lock, and `analytics` is only touched by callers of the plugin.
    final class Log: EventPlugin, @unchecked Sendable {
        let type: PluginType
        weak var analytics: Analytics?
        let calls = LockBox<[String]>([])
        var seen: [String] { calls.withLock { $0 } }
        init(_ type: PluginType = .enrichment) { self.type = type }
        func note(_ call: String) { calls.withLock { $0.append(call) } }
        func configure(analytics: Analytics) {
            self.analytics = analytics
            note("configure")
        }
        func update(settings: Settings, type: UpdateType) { note("update \(type)") }
        func track(event: TrackEvent) -> TrackEvent? {
            note(event.event)
            return event
        }
        func flush() { note("flush") }
        func shutdown() { note("shutdown") }
    }

    /// The same plugin as a destination.
    final class Destination: DestinationPlugin, @unchecked Sendable {
        // Unchecked because the calls are behind the lock.
        let type = PluginType.destination
        let timeline = Timeline()
        let log = Log()
        weak var analytics: Analytics?
        func configure(analytics: Analytics) {
            self.analytics = analytics
            log.note("configure")
        }
        func update(settings: Settings, type: UpdateType) { log.note("update \(type)") }
        func track(event: TrackEvent) -> TrackEvent? { log.track(event: event) }
        func shutdown() { log.note("shutdown") }
    }

    private let whole = ["configure", "update initial", "A", "shutdown", "configure", "update initial", "B"]

    @Test("A plugin that is added again at once is shut down before it begins again")
    func inClient() async {
        let client = Client()
        let plugin = Log()
        client.analytics.add(plugin: plugin)
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.remove(plugin: plugin)
        client.analytics.add(plugin: plugin)
        await client.executed()
        await client.executed()
        client.analytics.track(name: "B")
        await client.processed()
        #expect(plugin.seen == whole)
        #expect(client.analytics.find(pluginType: Log.self) === plugin)
    }

    @Test("A destination that is added again at once is shut down before it begins again")
    func asDestination() async {
        let client = Client()
        let (destination, inner) = (Destination(), Log())
        destination.add(plugin: inner)
        client.analytics.add(plugin: destination)
        client.analytics.manuallyEnableDestination(plugin: destination)
        client.analytics.track(name: "A")
        await client.processed()
        client.analytics.remove(plugin: destination)
        client.analytics.add(plugin: destination)
        while destination.log.seen.filter({ $0 == "configure" }).count < 2 { await Task.yield() }
        await client.processed()
        client.analytics.manuallyEnableDestination(plugin: destination)
        client.analytics.track(name: "B")
        await client.processed()
        #expect(destination.log.seen == whole)
        #expect(inner.seen == whole)
    }

    @Test("Adding and removing a plugin many times keeps the order of its calls")
    func often() async {
        let client = Client()
        let plugin = Log()
        for _ in 0..<50 {
            client.analytics.add(plugin: plugin)
            client.analytics.remove(plugin: plugin)
        }
        await client.processed()
        await client.processed()
        let calls = plugin.seen.filter { !$0.hasPrefix("update") }
        #expect(calls.count.isMultiple(of: 2))
        for (number, call) in calls.enumerated() {
            #expect(call == (number.isMultiple(of: 2) ? "configure" : "shutdown"))
        }
        #expect(client.analytics.find(pluginType: Log.self) == nil)
    }

    @Test("A plugin that is added twice while it ends is there once, and is reported")
    func twice() async {
        let client = Client()
        let plugin = Log()
        client.analytics.add(plugin: plugin)
        await client.processed()
        let (isIn, mayGo) = (LockBox(false), DispatchSemaphore(value: 0))
        client.analytics.performBetweenEvents {
            isIn.withLock { $0 = true }
            mayGo.wait()
        }
        client.analytics.remove(plugin: plugin)
        client.analytics.add(plugin: plugin)
        client.analytics.add(plugin: plugin)
        mayGo.signal()
        await client.reported(.configuration, count: 1)
        await client.processed()
        #expect(plugin.seen.filter { $0 == "configure" }.count == 2)
        #expect(client.analytics.findAll(pluginType: Log.self)?.count == 1)
    }

    @Test("A plugin begins again only after its last call ended, and once for each place")
    func value() {
        let (plugin, first, second) = (Log(), Timeline(), Timeline())
        let id = ObjectIdentifier(plugin)
        let begun = LockBox<[Int]>([])
        var endingPlugins = EndingPlugins()
        func comesBack(to place: Timeline, _ mark: Int) -> Bool? {
            endingPlugins.returns(id, to: ObjectIdentifier(place)) { begun.withLock { $0.append(mark) } }
        }
        func staysAway(from place: Timeline) -> Bool { endingPlugins.staysAway(id, from: ObjectIdentifier(place)) }
        let unasked = comesBack(to: first, 0)
        #expect(unasked == nil)
        endingPlugins.begin(id)
        endingPlugins.begin(id)
        let asked = [comesBack(to: first, 1), comesBack(to: first, 2), comesBack(to: second, 3)]
        #expect(asked == [true, false, true])
        let early = endingPlugins.end(id)
        #expect(early.isEmpty)
        let withdrawn = [staysAway(from: second), staysAway(from: second)]
        #expect(withdrawn == [true, false])
        for begin in endingPlugins.end(id) { begin() }
        #expect(begun.withLock { $0 } == [1])
        // A plugin can be removed and added again while it is being added. The last call counts.
        let meanwhile = [
            comesBack(to: first, 4), staysAway(from: first), comesBack(to: first, 5), staysAway(from: first),
        ]
        #expect(meanwhile == [false, true, true, true])
        let left = endingPlugins.entered(id)
        #expect(left == [ObjectIdentifier(first)])
        let later = comesBack(to: first, 6)
        #expect(later == nil)
    }
}
