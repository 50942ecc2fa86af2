import ArgumentParser
import Foundation
import TributaryJSON
import TributaryPluginTestKit
import WorkspaceCore
import WorkspaceServer

/// Checks a bundle and runs it on events or signals. The server starts this command in a process of its own, so that a script never
/// runs inside the server.
///
/// Standard input is a `PluginTrialRequest`, and standard output its answer.
struct PluginTrial: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trial", abstract: "Runs a bundle for the page of the server.", shouldDisplay: false)

    /// Seconds of the processor after which the system ends the process, also when the server is gone.
    private static let processorSeconds = 30
    /// Bytes that the answer may have.
    private static let answerBytes = 32 << 20

    func run() throws {
        // Events of apps come first.
        _ = nice(10)
        Self.limit(RLIMIT_CPU, to: Self.processorSeconds)
        Self.limit(RLIMIT_FSIZE, to: Self.answerBytes)
        let input = try InputFile.standardInput()
        guard let request = PluginTrialRequest(try JSON.parse([UInt8](input), limits: PluginTrialRequest.limits))
        else { throw Failure("standard input is no request to try a bundle") }
        let known = request.known.map { KnownSource(destinations: Set($0.destinations), events: $0.events) }
        let answer =
            switch request.sample {
            case .events(let events):
                PluginTrialRun(
                    source: request.source, events: events, known: known, apps: request.apps, devices: request.devices
                ).json
            case .signals(let signals): SignalTrialRun(source: request.source, signals: signals, known: known).json
            case .golden(let golden): GoldenTrialRun(golden).recorded(under: request.source)
            case .review(let golden, let base): GoldenTrialRun(golden).review(of: request.source, against: base)
            }
        try FileHandle.standardOutput.write(contentsOf: Data(answer.description.utf8))
    }

    #if canImport(Darwin)
    private typealias Resource = Int32
    #else
    private typealias Resource = __rlimit_resource
    #endif

    private static func limit(_ resource: Resource, to value: Int) {
        var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
        #if canImport(Darwin)
        _ = setrlimit(resource, &limit)
        #else
        _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        #endif
    }
}
