import ArgumentParser
import Foundation
import ProgramSupport
import Tributary

/// One run of the shop: it checks the input, plays it, sends the events and prints the counters.
struct ShopRun {
    private let options: Storefront
    private let time = SystemTimeSource()

    init(_ options: Storefront) { self.options = options }

    func run() async throws {
        let programme = try programme()
        let ledger = try options.ledger.map { path throws(InputError) in try Ledger(path: path) }
        let storage = try StorageFolder(path: options.storage)
        let ids = MessageIds()
        let start = time.uptime
        let client = try makeClient(storage, ids)
        let interruption = Interruption(further: .endsProcess)

        if let programme {
            Console.out("storefront: playing \(programme.description)")
            try await play(programme, client, ids, ledger, interruption)
        }
        let flush = await client.analytics.flush(timeout: options.flushTimeout)
        let summary = Summary(
            counters: client.analytics.counters, printed: client.printer.receivedCount, flush: flush,
            seconds: time.uptime - start)
        await client.shutdown()
        try finish(summary, storage)
    }

    /// The calls to play; nil when this run only sends events.
    private func programme() throws(InputError) -> Programme? {
        if options.resume { return nil }
        if let events = options.events { return try .events(InputFile(path: events)) }
        guard let path = options.sessions ?? defaultSessions else {
            throw InputError(
                file: SessionsFile.path, line: nil, reason: "not found here or above; name a file with --sessions")
        }
        return try .sessions(InputFile(path: path))
    }

    private var defaultSessions: String? {
        SessionsFile.find(
            currentFolder: FileManager.default.currentDirectoryPath, program: CommandLine.arguments.first ?? "")
    }

    private func makeClient(_ storage: StorageFolder, _ ids: MessageIds) throws -> ShopClient {
        var settings = ShopClient.Options(
            writeKey: options.writeKey, server: try options.address(), storage: storage.url,
            settingsInterval: options.settingsInterval, requiresSettings: options.requireSettings,
            inspector: options.inspector)
        settings.fallback = options.fallback.map { URL(fileURLWithPath: $0) }
        if !options.quiet { settings.receipts = { Console.out($0) } }
        let client = ShopClient(settings, ids: ids)
        let printer = DiagnosticPrinter()
        client.analytics.observeDiagnostics { printer.print($0) }
        return client
    }

    private func play(
        _ programme: Programme, _ client: ShopClient, _ ids: MessageIds, _ ledger: Ledger?,
        _ interruption: Interruption
    ) async throws {
        var progress =
            options.progress
            ? Progress(total: programme.eventCount, isTerminal: Console.errorIsTerminal) : nil
        let player = Player(
            analytics: client.analytics, ids: ids, ledger: ledger, pace: Pace(eventsPerSecond: options.speed),
            time: time, interruption: interruption
        )
        let made = try await player.play(programme) { done in
            if let text = progress?.update(done) { Console.write(text, to: .standardError) }
        }
        if made < programme.eventCount {
            Console.error("interrupted after \(made) of \(programme.eventCount) events; sending what there is")
        }
    }

    private func finish(_ summary: Summary, _ storage: StorageFolder) throws {
        if let path = options.summary { try summary.encoded().write(to: URL(fileURLWithPath: path)) }
        for line in summary.lines { Console.out(line) }
        switch summary.flush.result {
        case "sent": break
        case "dropped": Console.error("events that did not arrive and will not: \(summary.flush.reason ?? "unknown")")
        default:
            report(summary.flush, storage)
            throw ExitCode(1)
        }
        storage.removeIfTemporary()
    }

    /// Prints which events stay on the device, and how to send them.
    private func report(_ flush: Summary.Flush, _ storage: StorageFolder) {
        Console.error("\(flush.remaining) events were not sent: \(flush.reason ?? "unknown reason")")
        Console.error("they wait in \(storage.url.path)")
        Console.error(
            "to send them: storefront --resume --storage '\(storage.url.path)' --write-key '\(options.writeKey)'"
                + addressArguments)
    }

    private var addressArguments: String {
        guard options.apiHost != nil || options.cdnHost != nil else { return " --server '\(options.server)'" }
        return [("--api-host", options.apiHost), ("--cdn-host", options.cdnHost)]
            .compactMap { name, value in value.map { " \(name) '\($0)'" } }.joined()
    }
}
