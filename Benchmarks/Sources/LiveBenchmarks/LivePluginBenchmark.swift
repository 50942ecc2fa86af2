import AnalyticsLive
import Foundation
import Measuring
import Tributary
import TributaryJSON
import TributaryPluginTestKit
@_spi(OwnScripts) import TributaryScript

/// What scripts cost an event: the time between two native plugins around them, less what lies there without scripts.
///
/// All clients take turns within a round. The floor is the engine's own work: the event's JSON read and written again
/// by JavaScriptCore, with the text taken in and out; in a row, or each after a sleep, as when one event comes at a time.
/// What waking a processor up costs is the machine's, so an event that comes alone is measured without that, and with it.
struct LivePluginBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let rounds: Int
        let events: Int
    }

    private static let warmUp = 2

    private let parameters: Parameters
    private let none: LiveClient
    private let one: LiveClient
    private let ten: LiveClient
    private let data: LiveClient
    private let engine: BareEngine

    static func run(_ parameters: Parameters) throws { try LivePluginBenchmark(parameters).run() }

    private init(_ parameters: Parameters) throws {
        self.parameters = parameters
        none = try LiveClient(script: nil, in: parameters.folder)
        one = try LiveClient(script: LiveSamples.renamingPlugins(1), in: parameters.folder)
        ten = try LiveClient(script: LiveSamples.renamingPlugins(10), in: parameters.folder)
        let bundle = PluginData(LiveSamples.renamingPlugins(1))
        guard bundle.isData else { throw Failure("the plugin is no data: \(bundle.problems)") }
        data = try LiveClient(script: bundle.bundle, in: parameters.folder)
        for client in [none, one, ten, data] { _ = try client.times(1, together: false, Self.track) }
        try Self.check(one, renamed: ["renamed_0"])
        try Self.check(data, renamed: ["renamed_0"])
        try Self.check(ten, renamed: ["renamed_2", "renamed_7", "renamed_8", "renamed_9"])
        guard let event = none.lastEvent else { throw Failure("no event") }
        engine = try BareEngine(text: "\(JSON.object(event.json))")
    }

    /// The scripts do what is measured.
    private static func check(_ client: LiveClient, renamed names: [String]) throws {
        let properties = client.lastEvent?.json["properties"]
        for name in names where properties?[name] == nil { throw Failure("there is no \(name) in \(properties ?? [])") }
    }

    private func run() throws {
        var none = Rounds()
        var one = Rounds()
        var bare = Rounds()
        var ten: [Double] = []
        var data: [Double] = []
        for round in -Self.warmUp..<parameters.rounds {
            let medians = try (
                none: medians(of: self.none), one: medians(of: self.one), bare: medians(of: engine),
                ten: median(self.ten.times(parameters.events, together: true, Self.track)),
                data: median(self.data.times(parameters.events, together: true, Self.track))
            )
            guard round >= 0 else { continue }
            none.add(medians.none)
            one.add(medians.one)
            bare.add(medians.bare)
            ten.append(medians.ten)
            data.append(medians.data)
        }
        try Measurement(
            "live-plugin-rename-data", least(data) - least(none.inRow), floor: least(one.inRow) - least(none.inRow)
        ).report()
        try report(none: none, one: one, ten: least(ten), bare: bare)
    }

    private func report(none: Rounds, one: Rounds, ten: Double, bare: Rounds) throws {
        func report(_ name: String, _ figure: KeyPath<Rounds, [Double]>) throws {
            try Measurement(
                name, least(one[keyPath: figure]) - least(none[keyPath: figure]), floor: least(bare[keyPath: figure]),
                details: ["event_bytes": Double(engine.byteCount), "median_round": median(one[keyPath: figure])],
                floors: bare[keyPath: figure]
            ).report()
        }
        try report("live-plugin-rename", \.alone)
        try report("live-plugin-rename-asleep", \.asleep)
        try report("live-plugin-rename-batch", \.inRow)
        try Measurement("live-plugin-other-type", least(one.otherType) - least(none.otherType)).report()
        let oneInRow = least(one.inRow) - least(none.inRow)
        let tenInRow = ten - least(none.inRow)
        try Measurement(
            "live-plugin-further", (tenInRow - oneInRow) / 9, floor: least(bare.inRow),
            details: ["ten": tenInRow, "one": oneInRow], floors: bare.inRow
        ).report()
    }

    private func medians(of client: LiveClient) throws -> Medians {
        let awake = AwakeProcessors()
        let alone = try median(client.times(parameters.events, together: false, Self.track))
        awake.end()
        return try Medians(
            alone: alone,
            asleep: median(client.times(parameters.events, together: false, Self.track)),
            inRow: median(client.times(parameters.events, together: true, Self.track)),
            otherType: median(client.times(parameters.events, together: true, Self.screen)))
    }

    private func medians(of engine: BareEngine) throws -> Medians {
        let awake = AwakeProcessors()
        let alone = try median(engine.times(parameters.events, together: false))
        awake.end()
        return try Medians(
            alone: alone, asleep: median(engine.times(parameters.events, together: false)),
            inRow: median(engine.times(parameters.events)), otherType: 0)
    }

    private static func track(_ analytics: Analytics) {
        analytics.track(name: Samples.eventName, properties: LiveSamples.order())
    }

    private static func screen(_ analytics: Analytics) {
        analytics.screen(title: "Order", properties: LiveSamples.order())
    }
}

/// The median times of a round, in microseconds.
private struct Medians {
    /// Each event by itself, which finds what others left in the processor's caches, while no processor sleeps.
    let alone: Double
    /// The same, after the processor has slept.
    let asleep: Double
    /// One event right after the other.
    let inRow: Double
    /// The same, of a type that no live plugin handles.
    let otherType: Double
}

/// The medians of all rounds.
private struct Rounds {
    private(set) var alone: [Double] = []
    private(set) var asleep: [Double] = []
    private(set) var inRow: [Double] = []
    private(set) var otherType: [Double] = []

    mutating func add(_ medians: Medians) {
        alone.append(medians.alone)
        asleep.append(medians.asleep)
        inRow.append(medians.inRow)
        otherType.append(medians.otherType)
    }
}

/// The engine alone, reading and writing one event with its own functions, as the library does. Scripts get functions
/// with limits around them, which take longer.
private struct BareEngine {
    private static let script = """
        globalThis.floor = (({ parse, stringify }) => (text) => stringify(parse(text)))(__tributary_native)
        """

    private let engine: ScriptEngine
    private let text: String

    var byteCount: Int { text.utf8.count }

    init(text: String) throws {
        self.text = text
        engine = try ScriptEngine()
        try engine.runAsItIs(Self.script, name: "floor.js", seconds: 1)
        guard try engine.call("floor", [.string(text)]).text?.utf8.count == text.utf8.count else {
            throw Failure("the engine does not write what it read")
        }
    }

    func times(_ count: Int, together: Bool = true) throws -> [Double] {
        try (0..<count).map { _ in
            // What the processor had at hand is gone after a sleep.
            if !together { usleep(100) }
            let start = Clock.monotonic()
            blackHole(try engine.call("floor", [.string(text)]))
            return Double(Clock.monotonic() - start) / 1000
        }
    }
}
