import Foundation
import Measuring
import Tributary

/// What a client costs a battery: how often it wakes the device, which timers it arms, and what it writes.
///
/// An hour of an app's life passes in seconds: the clock moves to the next event or timer when all threads sleep. So a
/// moment at which only a timer is due is a wake-up of the device, however busy the machine is.
struct EnergyBenchmark {
    struct Parameters: Decodable {
        let folder: String
        let events: Int
    }

    /// Events of a visit, seconds between two beginnings of visits, and the mean pause between two events.
    private static let (visit, visitSeconds, pause) = (25, 90.0, 2.0)
    private static let hour = 3600.0

    private let clock = SteppedClock()
    private let server = CountingServer()
    private let analytics: Analytics
    /// Moments at which only timers were due, and how many of them began a look at the settings.
    private var moments = (all: 0, looks: 0)

    static func run(_ parameters: Parameters) throws {
        var benchmark = EnergyBenchmark(in: parameters.folder)
        try benchmark.begin()
        try benchmark.measureUse(parameters.events)
        try benchmark.measureSilence()
        try benchmark.end()
    }

    private init(in folder: String) {
        // As an app has it, but without compression, so that bodies are as long as their events.
        analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").gzip(false)
                .storageMode(.diskAtURL(URL(fileURLWithPath: folder))).timeSource(clock).transport(server))
    }

    /// Takes the client past its start, so that the hour begins with nothing that waits.
    private mutating func begin() throws {
        analytics.track(name: Samples.eventName, properties: Samples.properties(0))
        try pass(until: clock.uptime + 120)
        guard !analytics.hasUnsentEvents else { throw Failure("the client does not begin to send") }
    }

    /// An hour with events: people come, do something each few seconds, and go.
    private mutating func measureUse(_ events: Int) throws {
        moments = (0, 0)
        let (start, armed, batches, bytes) = (clock.uptime, clock.armed, server.batches, server.bytes)
        let switches = try QuietProcess.wakeUps()
        var chance = Chance(state: 31)
        for number in 0..<events {
            let (visit, place) = number.quotientAndRemainder(dividingBy: Self.visit)
            if place == 0 {
                try pass(until: max(clock.uptime, start + Double(visit) * Self.visitSeconds))
            } else {
                try pass(until: clock.uptime - Self.pause * log(1 - chance.next()))
            }
            analytics.track(name: Samples.eventName, properties: Samples.properties(number))
            try QuietProcess.rest()
        }
        try pass(until: max(start + Self.hour, clock.uptime + 120))
        guard !analytics.hasUnsentEvents else { throw Failure("the client has not sent everything") }
        let flushes = Double(server.batches - batches)
        try Measurement(
            "energy-wake-ups", Double(moments.all - moments.looks) / max(1, flushes),
            details: [
                "flushes": flushes, "moments": Double(moments.all), "looks": Double(moments.looks),
                "timers": Double(clock.armed - armed), "hours": (clock.uptime - start) / Self.hour,
                "switches_per_event": Double(try QuietProcess.wakeUps() - switches) / Double(events),
                "bytes_per_event": Double(server.bytes - bytes) / Double(events),
            ]
        ).report()
    }

    /// An hour in which nothing happens.
    private mutating func measureSilence() throws {
        moments = (0, 0)
        let armed = clock.armed
        try pass(until: clock.uptime + Self.hour)
        try Measurement(
            "energy-silence", Double(moments.all), floor: Double(moments.looks),
            details: ["timers": Double(clock.armed - armed), "waiting": Double(clock.waiting)]
        ).report()
    }

    private func end() throws {
        let ended = DispatchSemaphore(value: 0)
        analytics.shutdown { ended.signal() }
        guard ended.wait(timeout: .now() + 60) == .success else { throw Failure("the client does not end") }
        // What was written is counted by whoever started this process.
        try Measurement("energy-sent", Double(server.bytes)).report()
    }

    /// Lets time pass from timer to timer.
    private mutating func pass(until moment: TimeInterval) throws {
        try QuietProcess.rest()
        while let due = clock.nextDue, due < moment {
            let looks = server.looks
            clock.move(to: due)
            try QuietProcess.rest()
            moments.all += 1
            if server.looks > looks { moments.looks += 1 }
        }
        // What is due at the same moment as an event does not wake the device.
        clock.move(to: moment)
        try QuietProcess.rest()
    }

    // MARK: With the system's clock

    struct RestParameters: Decodable {
        let folder: String
        /// Host of settings and batches.
        let server: String
        /// Seconds until the threads of what was sent have gone, and seconds that are counted then.
        let settles: UInt32
        let counts: UInt32
    }

    /// How often threads are woken when everything was sent, with the system's clock and the network.
    static func runRest(_ parameters: RestParameters) throws {
        let analytics = Analytics(
            configuration: Configuration(writeKey: "benchmark").apiHost(parameters.server).cdnHost(parameters.server)
                .storageMode(.diskAtURL(URL(fileURLWithPath: parameters.folder))))
        for number in 0..<20 { analytics.track(name: Samples.eventName, properties: Samples.properties(number)) }
        try analytics.awaitCounters("everything sent") { $0.uploaded >= 20 }
        let wakeUps = try countWakeUps(parameters)
        guard !analytics.hasUnsentEvents else { throw Failure("events wait") }
        try Measurement("energy-rest", Double(wakeUps)).report()
    }

    /// The floor: a process that has used a queue once. On Linux, libdispatch then looks at its threads each second.
    static func runBareRest(_ parameters: RestParameters) throws {
        let used = DispatchSemaphore(value: 0)
        DispatchQueue.global(qos: .utility).async { used.signal() }
        used.wait()
        try Measurement("energy-rest", Double(countWakeUps(parameters))).report()
    }

    private static func countWakeUps(_ parameters: RestParameters) throws -> Int {
        sleep(parameters.settles)
        let before = try QuietProcess.wakeUps()
        sleep(parameters.counts)
        return try QuietProcess.wakeUps() - before
    }
}

/// Numbers that look like chance and are the same in each run.
private struct Chance {
    var state: UInt64

    /// From 0 up to, not including, 1.
    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
    }
}

/// Answers at once, and counts what it gets.
///
/// Unchecked because what changes stands behind the lock.
private final class CountingServer: Transport, @unchecked Sendable {
    private let lock = NSLock()
    private var state = (looks: 0, batches: 0, bytes: 0)
    private let settings = LocalTransport.settings()

    /// How often somebody looked for settings.
    var looks: Int { lock.withLock { state.looks } }
    var batches: Int { lock.withLock { state.batches } }
    /// Bytes of the events in all batches, with about 100 for each batch.
    var bytes: Int { lock.withLock { state.bytes } }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        let isLook = request.method == "GET"
        lock.withLock {
            if isLook {
                state.looks += 1
            } else {
                state.batches += 1
                state.bytes += request.body?.count ?? 0
            }
        }
        let answer = isLook ? settings : Array(#"{"success":true}"#.utf8)
        completion(.success(TransportResponse(status: 200, body: answer)))
    }
}
