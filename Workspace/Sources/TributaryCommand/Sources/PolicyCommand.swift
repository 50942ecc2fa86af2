import ArgumentParser
import Foundation
import TributaryJSON
import WorkspaceCore

/// The policy of a source: quotas, addresses, countries, and the signals of its devices.
struct PolicyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract:
            "Shows or changes quotas, addresses, countries, signals, health reports, consent, personal data and time zone of a source.",
        discussion: "Without a change, shows the policy. A number of 0 removes a quota.")

    @OptionGroup var options: SourceOptions

    @Option(help: "Events a day (UTC) that are accepted; after that, devices are asked to send later.")
    var eventsPerDay: Int?

    @Option(help: "Requests a second that are accepted.")
    var requestsPerSecond: Int?

    @Option(help: "How context.ip is stored: asSent, keep, truncate or drop.")
    var ip: String?

    @Option(help: "The address that events get their country from: auto, connection, sent or none.")
    var country: String?

    @Option(help: "An automatic capture of signals to switch: network, swiftUI or uiKit.")
    var capture: String?

    @Flag(inversion: .prefixedEnableDisable, help: "Switches that capture.")
    var automatic: Bool?

    @Option(help: "Share of the launches that make signals, from 0 to 1, for that capture or for all.")
    var sampleRate: Double?

    @Flag(inversion: .prefixedEnableDisable, help: "Whether devices send signals to the workspace.")
    var signalTraffic: Bool?

    @Option(help: "Share of the clients that report on their health, from 0 to 1.")
    var healthSampleRate: Double?

    @Option(
        help: ArgumentHelp(
            "Events without consent data, for a destination with consent categories: forward, hold or drop.",
            valueName: "rule"))
    var unsaidConsent: String?

    @Option(
        help: ArgumentHelp(
            "The consent categories that Global Privacy Control refuses, separated by commas; empty for none.",
            valueName: "names"))
    var gpcRefuses: String?

    @Option(
        help: ArgumentHelp(
            "The properties that are personal data, separated by commas; empty for none. Tokens without personal data do not see them.",
            valueName: "names"))
    var personal: String?

    @Option(help: "The time zone in which days and weeks of questions begin, such as Europe/Berlin or UTC.")
    var timeZone: String?

    func run() async throws {
        let client = try AdministrationClient(options)
        let policy = try await client.get("policy")
        let changes = try changes(of: policy)
        guard !changes.isEmpty else { return print(policy.prettyPrint()) }
        let answer = try await client.send("PUT", "policy", .object(changes))
        print(answer.prettyPrint())
    }

    private func changes(of policy: JSON) throws(Failure) -> JSONObject {
        var changes = JSONObject()
        if eventsPerDay != nil || requestsPerSecond != nil {
            var quota = policy["quota"] ?? [:]
            if let eventsPerDay { quota["eventsPerDay"] = .some(Self.limit(eventsPerDay)) }
            if let requestsPerSecond { quota["requestsPerSecond"] = .some(Self.limit(requestsPerSecond)) }
            changes["quota"] = quota
        }
        if let ip { changes["ip"] = .string(ip) }
        if let country { changes["country"] = .string(country) }
        if let timeZone { changes["timeZone"] = .string(timeZone) }
        if let rate = healthSampleRate.flatMap({ JSONNumber($0) }) {
            changes["healthReports"] = ["sampleRate": .number(rate)]
        }
        if unsaidConsent != nil || gpcRefuses != nil {
            var consent = policy["consent"] ?? [:]
            if let unsaidConsent { consent["unsaid"] = .string(unsaidConsent) }
            if let gpcRefuses {
                let names = gpcRefuses.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                consent["gpcRefuses"] = .array(names.filter { !$0.isEmpty }.map(JSON.string))
            }
            changes["consent"] = consent
        }
        if let personal {
            let names = personal.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            changes["personal"] = .array(names.filter { !$0.isEmpty }.map(JSON.string))
        }
        if let signals = try signals(policy["signals"] ?? [:]) { changes["signals"] = signals }
        return changes
    }

    private func signals(_ before: JSON) throws(Failure) -> JSON? {
        var signals = before
        if let signalTraffic { signals["disableTraffic"] = .bool(!signalTraffic) }
        let rate = sampleRate.flatMap { JSONNumber($0) }.map(JSON.number)
        if let capture {
            var sources = signals["sources"]?.objectValue ?? JSONObject()
            var switches = sources[capture] ?? [:]
            if let automatic { switches["enabled"] = .bool(automatic) }
            if let rate { switches["sampleRate"] = rate }
            sources[capture] = switches
            signals["sources"] = .object(sources)
        } else {
            guard automatic == nil else { throw Failure("name the --capture to switch") }
            if let rate { signals["sampleRate"] = rate }
        }
        return signals == before ? nil : signals
    }

    private static func limit(_ number: Int) -> JSON { number == 0 ? .null : .number(number) }
}
