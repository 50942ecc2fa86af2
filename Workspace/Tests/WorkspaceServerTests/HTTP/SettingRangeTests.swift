import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// Every setting that the administration hands to a library: the ends of its range are taken, and what lies beyond is
/// refused without harm. A new setting belongs into this list.
@Suite("Ranges of settings", .timeLimit(.minutes(30))) struct SettingRangeTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let name: String
        let method: String
        let path: String
        /// The body; `VALUE` is replaced. Empty for a setting in the path.
        let body: String
        let taken: [String]
        let refused: [String]
        /// The statuses of values that are taken.
        var answers: Set<Int> = [200, 201]

        var testDescription: String { name }
    }

    /// Numbers that do not fit the types of libraries.
    private static let huge = [
        "-1", "9223372036854775807", "9223372036854775808", "1e400", "-1e400", "1.5", "\"1\"", "[]",
    ]

    private static func webhook(_ name: String, _ taken: [String], _ refused: [String]) -> Setting {
        Setting(
            name: "\(name) of a webhook", method: "PUT", path: "/api/sources/WK/destinations/Hook",
            body: #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:1/","\#(name)":VALUE}}"#,
            taken: taken, refused: refused + huge)
    }

    private static func policy(_ name: String, _ member: String, _ taken: [String], _ refused: [String]) -> Setting {
        Setting(
            name: name, method: "PUT", path: "/api/sources/WK/policy", body: #"{\#(member)}"#, taken: taken,
            refused: refused)
    }

    private static func query(
        _ name: String, _ path: String, _ taken: [String], _ refused: [String], answers: Set<Int> = [200]
    ) -> Setting {
        Setting(name: name, method: "GET", path: path, body: "", taken: taken, refused: refused, answers: answers)
    }

    static let settings: [Setting] = [
        Setting(
            name: "port of a webhook", method: "PUT", path: "/api/sources/WK/destinations/Hook",
            body: #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:VALUE/"}}"#,
            taken: ["1", "65535"],
            refused: ["0", "65536", "99999", "-1", "+80", "99999999999999999999", "80a", " 80", ""]),
        webhook("timeoutSeconds", ["1", "60"], ["0", "61"]),
        webhook("parallelRequests", ["1", "64"], ["0", "65"]),
        webhook("batchEvents", ["1", "\(Limits.webhookBatch)"], ["0", "\(Limits.webhookBatch + 1)"]),
        Setting(
            name: "headers of a webhook", method: "PUT", path: "/api/sources/WK/destinations/Hook",
            body:
                #"{"kind":"webhook","enabled":false,"settings":{"url":"http://127.0.0.1:1/","headers":{"X-A":VALUE}}}"#,
            taken: [#""a""#, #""""#],
            refused: [#""a\r\nX-B: 1""#, #""a\u0000""#, #""é""#, "1", "null"]),
        policy(
            "events of a day", #""quota":{"eventsPerDay":VALUE}"#, ["1", "\(Limits.largestQuota)", "null"],
            ["0", "\(Limits.largestQuota + 1)"] + huge),
        policy(
            "requests of a second", #""quota":{"requestsPerSecond":VALUE}"#, ["1", "\(Limits.largestQuota)"],
            ["0", "\(Limits.largestQuota + 1)"] + huge),
        policy(
            "share of signals", #""signals":{"sampleRate":VALUE}"#, ["0", "1", "0.5"],
            ["-0.1", "1.1", "1e400", "\"1\"", "[]"]),
        Setting(
            name: "seconds of a trace order", method: "PUT", path: "/api/sources/WK/traces",
            body: #"{"userId":"u","seconds":VALUE}"#, taken: ["1", "\(Limits.traceOrderSeconds)"],
            refused: ["0", "\(Limits.traceOrderSeconds + 1)"] + huge),
        Setting(
            name: "percentage of live plugins", method: "PUT", path: "/api/sources/WK/live-plugins?percentage=VALUE",
            body: "1", taken: ["1", "100"], refused: ["0", "101", "-1", "9223372036854775807", "1e3", "1.5"]),
        Setting(
            name: "seconds of a stage", method: "PUT",
            path: "/api/sources/WK/live-plugins?stages=50,100&holdSeconds=VALUE", body: "1", taken: ["2592000"],
            refused: ["-1", "2592001", "9223372036854775807", "9223372036854775808", "1e300"]),
        Setting(
            name: "fault rate of a roll-out", method: "PUT",
            path: "/api/sources/WK/live-plugins?stages=50,100&holdSeconds=0&maximumFaultRate=VALUE", body: "1",
            taken: ["1"], refused: ["-0.1", "1.1", "1e400", "nan", "inf"]),
        query(
            "rows of a page", "/api/events?limit=VALUE", ["1", "\(Limits.pageRows)"],
            ["0", "\(Limits.pageRows + 1)", "-1", "9223372036854775808", "1.5"]),
        query(
            "seconds of a wait", "/api/wait-for-event?timeout=VALUE", ["0"],
            ["\(Limits.longestWaitSeconds + 1)", "-1", "9223372036854775807", "9223372036854775808", "1e3"],
            answers: [404]),
        query(
            "events of a wait", "/api/wait-for-event?timeout=0&count=VALUE", ["1", "\(Limits.waitedEvents)"],
            ["0", "\(Limits.waitedEvents + 1)", "9223372036854775808"], answers: [404]),
        query(
            "place in the audit log", "/api/audit?before=VALUE", ["0", "9223372036854775807"],
            ["-1", "9223372036854775808", "1.5", "x"]),
        query(
            "place in a list", "/api/events?after=VALUE", ["0", "9223372036854775807"],
            ["-1", "9223372036854775808", "1.5", "x"]),
        query(
            "days of the catalog", "/api/catalog?writeKey=WK&since=VALUE&until=2026-11-26",
            ["2026-11-25", "2025-11-26", "1764115200"],
            ["2025-11-24", "2026-11-26", "0000-01-01", "9999-12-31", "2026-02-30", "9223372036854775807"]),
        query(
            "values of a breakdown", "/api/breakdown?writeKey=WK&property=properties.a&limit=VALUE",
            ["1", "\(Limits.breakdownMostValues)"],
            ["0", "\(Limits.breakdownMostValues + 1)", "-1", "9223372036854775808"]),
        query(
            "window of a funnel", "/api/funnel?writeKey=WK&step=A&step=B&window=VALUE",
            ["1", "\(Limits.funnelMostWindowSeconds)"],
            ["0", "\(Limits.funnelMostWindowSeconds + 1)", "-1", "1000000000000000000", "9223372036854775808"]),
        query(
            "hours of health", "/api/live-plugins/health?writeKey=WK&hours=VALUE", ["1", "\(Limits.healthHours)"],
            ["0", "\(Limits.healthHours + 1)", "-1", "9223372036854775808"]),
        query(
            "names of the catalog", "/api/catalog?writeKey=WK&limit=VALUE", ["1", "\(Limits.catalogMostNames)"],
            ["0", "\(Limits.catalogMostNames + 1)", "9223372036854775808"]),
        query(
            "a time", "/api/events?since=VALUE",
            ["2026-11-26T10:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z"],
            ["2026-13-01T00:00:00Z", "99999-01-01T00:00:00Z", "soon", "1e400", "-"]),
    ]

    private func send(_ setting: Setting, _ value: String, _ client: TestClient) async throws -> Int {
        let encoded = value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? value
        let path = setting.path.replacing("VALUE", with: encoded)
        let body = setting.body.replacing("VALUE", with: value)
        let bytes = setting.body.isEmpty ? nil : Array(body.utf8)
        return try await client.send(setting.method, path, body: bytes).status
    }

    @Test("A setting takes the ends of its range and refuses what lies beyond", arguments: settings)
    func ranges(_ setting: Setting) async throws {
        try await TestWorkspace.run { workspace async throws in
            for value in setting.taken {
                let status = try await send(setting, value, workspace.client)
                #expect(setting.answers.contains(status), "\(setting.name) \(value): \(status)")
            }
            for value in setting.refused {
                let status = try await send(setting, value, workspace.client)
                #expect(status == 400, "\(setting.name) \(value): \(status)")
            }
            // The server is still there, and has what was set last.
            #expect(try await workspace.client.get("/api/sources").status == 200)
        }
    }

    @Test("Each of these settings is in the list for operators")
    func documented() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
        let text = try String(contentsOfFile: "\(root)/docs/OPERATING.md", encoding: .utf8)
        for setting in Self.settings { #expect(text.contains("| \(setting.name) |"), "\(setting.name)") }
    }
}
