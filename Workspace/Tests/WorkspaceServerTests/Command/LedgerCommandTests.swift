import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore

@Suite("The command `ledger`", .timeLimit(.minutes(30))) struct LedgerCommandTests {
    /// A report of version 4.2: of 1,000 events, 980 are delivered, 13 dropped by a plugin, 2 lost, and 5 wait.
    private static func account(_ app: CountedApp) throws -> (app: CountedApp, sums: AccountSums) {
        let report: JSON = [
            "instanceId": "i", "number": 1, "app": ["version": .string(app.version)],
            "delivery": ["tracked": 1_000, "uploaded": 980, "lost": ["memory_full": 2]],
            "account": [
                "waiting": 5,
                "events": [
                    ["name": "Checkout", "events": 1_000, "plugins": ["Fix": 13]], ["name": "Viewed", "events": 0],
                ],
            ],
        ]
        return (app, try #require(try DeviceReport(report.encoded()).account).sums)
    }

    private static func answer(_ ledger: LossLedger) -> JSON {
        var json = ledger.json
        (json["firstDay"], json["lastDay"], json["mayLack"]) = ("2026-11-01", "2026-11-30", 0)
        json["cover"] = ["since": .null, "isCurrent": true]
        return .object(json)
    }

    @Test("The ledger is a table with a row for each version, and a sentence for each loss")
    func table() throws {
        let ledger = LossLedger(
            [try Self.account(.version("4.2"))], devices: [.version("4.2"): 3],
            stored: LossLedger.Stored([.version("4.2"): 1_960]))
        let text = try LedgerText(Self.answer(ledger)).text
        #expect(
            text == """
                2026-11-01 to 2026-11-30

                app  tracked  delivered  plugins  rules  lost  refused  kept back  waiting  unknown  not heard of  heard of
                4.2    1,000        980       13      0     2        0          0       +5        0           980      50 %
                all    1,000        980       13      0     2        0          0       +5        0           980      50 %

                4.2 loses 0.2 % (2 of 1,000) of its events: memory_full
                4.2 loses 1.3 % (13 of 1,000) of Checkout in plugin Fix

                1 reports of 3 devices; a device is one start of the app
                reports tell of 50 % of the stored events; the others are not yet heard of
                """)
    }

    @Test("Without a count of stored events, the ledger does not say what it did not hear of")
    func reportsOnly() throws {
        let text = try LedgerText(
            Self.answer(LossLedger([try Self.account(.unknown)], devices: [:], stored: nil))
        ).text
        #expect(text.contains("(not known)    1,000        980"))
        #expect(text.contains("+5        0             ?         -"))
        #expect(!text.contains("heard of;"))
        #expect(!text.contains("stored"))
    }

    @Test("A name that would change the terminal is made visible")
    func printable() throws {
        let report: JSON = [
            "instanceId": "i", "number": 1, "delivery": ["tracked": 1],
            "account": ["events": [["name": "E\u{202e}", "events": 1, "plugins": ["P\u{9b}31m": 1]]]],
        ]
        let account = try #require(try DeviceReport(report.encoded()).account)
        let text = try LedgerText(
            Self.answer(LossLedger([(account.app, account.sums)], devices: [:], stored: nil))
        ).text
        #expect(!text.contains("\u{202e}"))
        #expect(!text.contains("\u{9b}"))
    }

    @Test("The command asks the workspace, for a table or for JSON")
    func command() async throws {
        try await TestWorkspace.run { workspace async throws in
            func run(_ arguments: String...) async throws -> CommandRun.Outcome {
                try await CommandRun.finish(
                    ["ledger"] + arguments + ["--server", workspace.client.url, "--write-key", "WK"])
            }
            #expect(try await run().output.hasPrefix("no device has reported, and no event is stored, from "))
            let report: JSON = [
                "writeKey": "WK", "instanceId": "i", "number": 1, "app": ["version": "4.2"],
                "delivery": ["tracked": 10, "uploaded": 10],
            ]
            #expect(try await workspace.client.post("/v1/health-reports", report).status == 200)
            let table = try await run()
            #expect(table.output.contains("\n4.2       10         10"), "\(table.errors)")
            #expect(table.output.contains("10 deliveries are in reports and not in the store"))
            let json = try JSON.parse(try await run("--json", "--reports-only").output)
            #expect(json["apps"]?[0]?["version"] == "4.2")
            #expect(json["apps"]?[0]?["stored"] == .null)
            #expect(try await run("--since", "yesterday").status == 1)
        }
    }
}
