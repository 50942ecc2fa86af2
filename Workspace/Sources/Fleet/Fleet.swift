import ArgumentParser
import Foundation
import ProgramSupport
import Tributary
import TributaryTesting

/// Many devices in one program: real clients that track, run live plugins and filters, and report, with a clock that goes
/// ten minutes in each round. Tests of roll-outs use it.
@main
struct Fleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Runs many clients that track events and report, until it gets SIGTERM.",
        discussion: """
            In each round every client asks for settings, tracks its events and sends them. The events are named Event 0, \
            Event 1 and so on up to Event 19, with a total and one of 33 shops, which stays the same for a client. Where \
            the settings have it on, a destination "Partner" gets them, too. At the end a line has the account of all \
            events as JSON. With --interval there are no rounds: the clients run as in apps that are in use, and ask for \
            settings by themselves.
            """)

    @Option(help: "Address of the workspace.")
    var server: String

    @Option(help: "Write key of the source.")
    var writeKey: String

    @Option(help: "How many clients.")
    var devices = 200

    @Option(help: "Events that each client tracks in a round. A report needs 60.")
    var events = 60

    @Option(help: "Seconds after which each client asks for settings by itself, in place of rounds.")
    var interval: Double?

    @Option(help: "How many of these clients have a request for settings held.")
    var pushed = 0

    /// Seconds that the clock of all clients goes in a round: a report is due after ten minutes.
    private static let round: TimeInterval = 601
    /// Milliseconds between two steps of the clock.
    private static let tick = 50

    func run() async throws {
        let stop = Interruption()
        let clock = ManualClock()
        // Pauses and timeouts of the clients end as they do in an app; a round adds its ten minutes at once.
        let time = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(Self.tick))
                clock.advance(by: Double(Self.tick) / 1000)
            }
        }
        defer { time.cancel() }
        if let interval { return try await use(interval, clock, until: stop) }
        let transport = URLSessionTransport()
        let devices = (0..<devices).map { number in
            Device(number: number, server: server, writeKey: writeKey, clock: clock, transport: transport)
        }
        var round = 0
        while !stop.isRaised {
            round += 1
            await Self.each(devices) { [events] in await $0.round(events: events) }
            Self.say("round \(round)")
            clock.advance(by: Self.round)
        }
        await Self.each(devices) { await $0.end() }
        Self.say("account \(devices.reduce(into: Account()) { $0.add($1.counters) }.json)")
    }

    /// Runs clients whose requests for settings are spread over the interval.
    private func use(_ interval: Double, _ clock: ManualClock, until stop: Interruption) async throws {
        var clients: [Device] = []
        for number in 0..<devices {
            clients.append(
                Device(
                    server: server, writeKey: writeKey, clock: clock, interval: interval,
                    isPushed: number * pushed / devices != (number + 1) * pushed / devices))
            try await Task.sleep(for: .seconds(interval / Double(devices)))
        }
        Self.say("in use")
        while !stop.isRaised { try await Task.sleep(for: .milliseconds(Self.tick)) }
        await Self.each(clients) { await $0.end() }
    }

    private static func each(_ devices: [Device], _ work: @escaping @Sendable (Device) async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for device in devices { group.addTask { await work(device) } }
        }
    }

    /// Without a buffer, because another program waits for the line.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data("fleet: \(text)\n".utf8)) }
}
