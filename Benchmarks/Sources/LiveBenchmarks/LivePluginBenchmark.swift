import AnalyticsLive
import Foundation
import Measuring
import Tributary
import TributaryJSON
import TributaryScript

/// What scripts cost an event: the time between two native plugins around them, less what lies there without scripts.
///
/// All clients take turns within a round. The floor is the engine's own work: the event's JSON read and written again
/// by JavaScriptCore, with the text taken in and out; in a row, or each after a sleep, as when one event comes at a time.
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
    private let engine: BareEngine

    static func run(_ parameters: Parameters) throws { try LivePluginBenchmark(parameters).run() }

    private init(_ parameters: Parameters) throws {
        self.parameters = parameters
        none = try LiveClient(script: nil, in: parameters.folder)
        one = try LiveClient(script: LiveSamples.renamingPlugins(1), in: parameters.folder)
        ten = try LiveClient(script: LiveSamples.renamingPlugins(10), in: parameters.folder)
        for client in [none, one, ten] { _ = try client.times(1, together: false, Self.track) }
        try Self.check(one, renamed: ["renamed_0"])
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
        var bare: (single: [Double], batch: [Double], other: [Double]) = ([], [], [])
        var single: [Double] = []
        var batch: [Double] = []
        var other: [Double] = []
        var all: [Double] = []
        var floors: (single: [Double], batch: [Double]) = ([], [])
        for round in -Self.warmUp..<parameters.rounds {
            let without = try (
                single: median(none.times(parameters.events, together: false, Self.track)),
                batch: median(none.times(parameters.events, together: true, Self.track)),
                other: median(none.times(parameters.events, together: true, Self.screen))
            )
            let times = try (
                single: median(one.times(parameters.events, together: false, Self.track)),
                batch: median(one.times(parameters.events, together: true, Self.track)),
                other: median(one.times(parameters.events, together: true, Self.screen)),
                all: median(ten.times(parameters.events, together: true, Self.track)),
                floor: median(engine.times(parameters.events)),
                singleFloor: median(engine.times(parameters.events, together: false))
            )
            guard round >= 0 else { continue }
            bare.single.append(without.single)
            bare.batch.append(without.batch)
            bare.other.append(without.other)
            single.append(times.single)
            batch.append(times.batch)
            other.append(times.other)
            all.append(times.all)
            floors.batch.append(times.floor)
            floors.single.append(times.singleFloor)
        }
        let floor = least(floors.batch)
        let oneInBatch = least(batch) - least(bare.batch)
        func details(_ rounds: [Double]) -> [String: Double] {
            ["event_bytes": Double(engine.byteCount), "median_round": median(rounds)]
        }
        try Measurement(
            "live-plugin-rename", least(single) - least(bare.single), floor: least(floors.single),
            details: details(single)
        ).report()
        try Measurement("live-plugin-rename-batch", oneInBatch, floor: floor, details: details(batch)).report()
        try Measurement("live-plugin-other-type", least(other) - least(bare.other)).report()
        let tenInBatch = least(all) - least(bare.batch)
        try Measurement("live-plugins-ten", tenInBatch, floor: oneInBatch).report()
        try Measurement("live-plugin-further", (tenInBatch - oneInBatch) / 9, floor: floor).report()
    }

    private static func track(_ analytics: Analytics) {
        analytics.track(name: Samples.eventName, properties: LiveSamples.order())
    }

    private static func screen(_ analytics: Analytics) {
        analytics.screen(title: "Order", properties: LiveSamples.order())
    }
}

/// The engine alone, reading and writing one event.
private struct BareEngine {
    private let engine: ScriptEngine
    private let function: ScriptFunction
    private let text: String

    var byteCount: Int { text.utf8.count }

    init(text: String) throws {
        self.text = text
        engine = try ScriptEngine()
        function = try engine.function("(text) => JSON.stringify(JSON.parse(text))", name: "floor.js")
        guard try engine.call(function, [.string(text)]).text?.utf8.count == text.utf8.count else {
            throw Failure("the engine does not write what it read")
        }
    }

    func times(_ count: Int, together: Bool = true) throws -> [Double] {
        try (0..<count).map { _ in
            // What the processor had at hand is gone after a sleep.
            if !together { usleep(100) }
            let start = Clock.monotonic()
            blackHole(try engine.call(function, [.string(text)]))
            return Double(Clock.monotonic() - start) / 1000
        }
    }
}
