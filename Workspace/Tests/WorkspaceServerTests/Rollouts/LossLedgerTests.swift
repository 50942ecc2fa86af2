import Testing
import TributaryJSON

@testable import WorkspaceCore

@Suite("The account of events by version of the app") struct LossLedgerTests {
    /// A report in which 100 tracked events end: 90 are delivered, 6 dropped by a plugin, 1 lost, and 3 more wait.
    private static let report: JSON = [
        "writeKey": "WK", "instanceId": "i", "number": 1, "seconds": 600, "app": ["version": "4.2"],
        "delivery": ["tracked": 100, "uploaded": 90, "lost": ["memory_full": 1]],
        "account": [
            "waiting": 3,
            "events": [
                ["name": "Checkout", "events": 40, "plugins": ["Fix": 6]], ["name": "Viewed", "events": 60],
            ],
        ],
    ]

    private func account(_ report: JSON) throws -> AppAccount {
        try #require(try DeviceReport(report.encoded()).account)
    }

    private func changed(_ change: (inout JSON) -> Void) throws -> AppAccount {
        var report = Self.report
        change(&report)
        return try account(report)
    }

    /// What is tracked or without a beginning, and everything that it became.
    private func sides(_ sums: AccountSums) -> (Int, Int) {
        let ends: [AccountSums.Count] = [
            .delivered, .refused, .plugins, .rules, .deleted, .notChosen, .unexplained,
        ]
        return (
            sums[.tracked] + sums[.unbegun], ends.reduce(sums.lostEvents + sums.waiting) { $0 + sums[$1] }
        )
    }

    private func ledger(_ accounts: [AppAccount], stored: [CountedApp: Int]? = nil) -> LossLedger {
        LossLedger(
            accounts.map { ($0.app, $0.sums) }, devices: [:], stored: stored.map { LossLedger.Stored($0) })
    }

    // MARK: One report

    @Test("A report says where its events ended, and its numbers add up")
    func report() throws {
        let account = try account(Self.report)
        #expect(account.app == .version("4.2"))
        #expect(account.sums[.plugins] == 6)
        #expect(account.sums.waiting == 3)
        #expect(account.sums[.unexplained] == 0)
        #expect(account.sums[.unbegun] == 0)
        #expect(account.sums[.partial] == 0)
        #expect(sides(account.sums) == (100, 100))
    }

    @Test("Numbers of a report that do not add up are a count of their own, in both directions")
    func unbalanced() throws {
        let more = try changed { $0["delivery"]?["tracked"] = 112 }
        #expect(more.sums[.unexplained] == 12)
        let less = try changed { $0["delivery"]?["tracked"] = 80 }
        #expect(less.sums[.unbegun] == 20)
        // One does not hide the other.
        let both = ledger([more, less]).all.sums
        #expect(both[.unexplained] == 12)
        #expect(both[.unbegun] == 20)
        #expect(sides(both) == (212, 212))
    }

    @Test("Events that waited before are fewer waiting events, and no loss")
    func waitedBefore() throws {
        let account = try changed { report in
            report["delivery"] = ["uploaded": 25]
            report["account"] = ["waiting": -25]
        }
        #expect(account.sums.waiting == -25)
        #expect(sides(account.sums) == (0, 0))
        #expect(account.sums[.unbegun] == 0)
    }

    @Test("A report of an earlier client says less, and is counted as such")
    func earlier() throws {
        let account = try changed { report in
            report["account"] = nil
            report["delivery"]?["dropped"] = 5
            report["destinations"] = [
                ["key": "Segment.io", "filtered": 2, "dropped": 1], ["key": "Amplitude", "filtered": 50],
            ]
        }
        #expect(account.sums[.partial] == 1)
        #expect(account.sums[.plugins] == 6)
        #expect(account.sums[.rules] == 2)
        #expect(account.sums[.unexplained] == 1)
        #expect(sides(account.sums) == (100, 100))
    }

    @Test("A report without delivery, as one of the workspace's own scripts, has no account")
    func scripts() throws {
        let report: JSON = ["instanceId": "i", "number": 1]
        #expect(try DeviceReport(report.encoded()).account == nil)
    }

    @Test("The version that counted is the version of the account, and several versions are none")
    func versions() throws {
        #expect(try changed { $0["app"]?["counted"] = "4.1" }.app == .version("4.1"))
        #expect(try changed { $0["app"]?["counted"] = "" }.app == .version(""))
        #expect(try changed { $0["app"]?["isMixed"] = true }.app == .unknown)
        #expect(try changed { $0["app"]?["counted"] = "4\n1" }.app == .unknown)
        #expect(try changed { $0["app"] = nil }.app == .version(""))
    }

    @Test("Counts and names that cannot be are cut off, and the sums still add up")
    func hostile() throws {
        let huge: JSON = 9_007_199_254_740_991
        let long = String(repeating: "x", count: 500)
        let account = try changed { report in
            report["delivery"] = ["tracked": huge, "uploaded": -4, "deadLettered": "7", "lost": ["a": huge]]
            report["account"] = [
                "waiting": -9_223_372_036_854_775_808, "deleted": huge,
                "events": [
                    ["name": .string(long), "events": huge, "plugins": [long: huge, "a\nb": 1]],
                    ["name": 7, "rules": ["r": -1]], "text", .null,
                ],
            ]
        }
        #expect(account.sums[.tracked] == 1_000_000)
        #expect(account.sums[.delivered] == 0)
        #expect(account.sums.waiting == -1_000_000)
        #expect(account.sums.events.keys.sorted() == [""])
        let sides = sides(account.sums)
        #expect(sides.0 == sides.1)
        #expect(AccountSums(account.sums.json) == account.sums)
        #expect(AppAccount(account.json) == account)
    }

    @Test("Invented names displace no event with drops, and no sum is lost")
    func invented() throws {
        var sums = try account(Self.report).sums
        for number in 0..<500 {
            sums.add(
                try changed { report in
                    report["account"]?["events"] = [["name": .string("Invented \(number)"), "events": 5]]
                }.sums)
        }
        #expect(sums.events.count <= AccountSums.mostEvents + 1)
        #expect(sums.events["Checkout"]?.plugins == ["Fix": 6])
        #expect(sums.events.values.reduce(0) { $0 + $1.events } == 100 + 2500)
    }

    // MARK: Together with stored events

    @Test("Stored events of which no report tells are not yet heard of, and a share says how much is known")
    func unheard() throws {
        let ledger = ledger([try account(Self.report)], stored: [.version("4.2"): 120, .version("4.1"): 30])
        #expect(ledger.apps.map(\.app) == [.version("4.2"), .version("4.1")])
        let newest = try #require(ledger.apps.first?.line)
        #expect(newest.unheard == 30)
        #expect(newest.claimed == 0)
        #expect(newest.heardShare == 0.75)
        // A version without any report: nothing is claimed of it.
        let silent = try #require(ledger.apps.last?.line)
        #expect(silent.unheard == 30)
        #expect(silent.heardShare == 0)
        #expect(silent.lossShare == nil)
        #expect(ledger.all.unheard == 60)
    }

    @Test("Deliveries that are not stored are only claimed")
    func claimed() throws {
        let ledger = ledger([try account(Self.report), try account(Self.report)], stored: [.version("4.2"): 100])
        #expect(ledger.all.claimed == 80)
        #expect(ledger.all.unheard == 0)
        #expect(ledger.all.heardShare == 1)
    }

    @Test("Without a count of stored events, nothing is said about them")
    func notCounted() throws {
        let line = ledger([try account(Self.report)]).all
        #expect(line.stored == nil)
        #expect(line.unheard == nil)
        #expect(line.claimed == nil)
        #expect(line.heardShare == nil)
    }

    @Test("A loss names its event and its plugin, as a share of the events of that name")
    func losses() throws {
        let filtered = try changed { report in
            report["account"]?["events"] = [["name": "Checkout", "events": 60, "rules": ["no tests": 9]]]
        }
        let line = ledger([try account(Self.report), filtered]).all
        #expect(
            line.drops == [
                .init(event: "Checkout", part: .rule, name: "no tests", dropped: 9, events: 100),
                .init(event: "Checkout", part: .plugin, name: "Fix", dropped: 6, events: 100),
            ])
        #expect(line.drops.last?.share == 0.06)
        // A rule is made to drop events.
        #expect(line.losses == 6 + 2)
        #expect(line.lossShare == 0.04)
    }

    @Test("A share that cannot be is not told")
    func impossibleShare() throws {
        let account = try changed { report in
            report["delivery"]?["tracked"] = 2
            report["account"]?["events"] = [["name": "Checkout", "events": 2, "plugins": ["Fix": 6]]]
        }
        let line = ledger([account]).all
        #expect(line.lossShare == nil)
        #expect(line.drops.first?.share == nil)
    }

    @Test("Stored versions are others when reports tell of others and not of them")
    func others() throws {
        let known = try account(Self.report)
        let ledger = ledger(
            [known, AppAccount(app: .others, sums: known.sums)],
            stored: [.version("4.2"): 90, .version("fake"): 50, .version(""): 7])
        #expect(ledger.apps.map(\.app) == [.version("4.2"), .version(""), .others])
        #expect(ledger.apps.map(\.line.stored) == [90, 7, 50])
    }

    @Test("The result of a breakdown gives stored events by version")
    func breakdown() {
        let stored = LossLedger.Stored(
            breakdown: [
                "mayLack": 3,
                "values": [["value": "4.2", "count": 5], ["value": 4, "count": 2], ["value": "", "count": 1]],
                "others": ["count": 4], "absent": ["count": 6],
            ])
        #expect(stored.events == [.version("4.2"): 5, .others: 7, .version(""): 6])
        #expect(stored.mayLack == 3)
    }

    @Test("Newer versions come first, and versions without a number behind them")
    func order() {
        let apps: [CountedApp] = [
            .others, .version(""), .version("4.9"), .unknown, .version("4.10.1"), .version("4.10"),
        ]
        #expect(
            apps.sorted() == [
                .version("4.10.1"), .version("4.10"), .version("4.9"), .version(""), .unknown, .others,
            ])
        #expect(CountedApp.version("4") < .version("-9223372036854775808.99999999999999999999"))
        for app in apps { #expect(CountedApp(stored: app.stored) == app) }
        for name in ["", "7", "other", "filters 3", "apps"] { #expect(CountedApp(stored: name) == nil) }
    }
}
