package import TributaryJSON

/// The part of one health report about the ends of events, and the version of the app that counted them.
package struct AppAccount: Sendable, Equatable {
    /// The destination that represents the server.
    private static let server = "Segment.io"
    /// The most that one report can add to any count.
    private static let mostCounted = 1_000_000
    /// A report about more time than this is late, in seconds.
    private static let lateSeconds = 172_800
    /// The most names of a report, and bytes of a name.
    private static let mostNames = 40
    private static let nameBytes = 80
    private static let versionBytes = 40

    package var app: CountedApp
    package var sums: AccountSums

    package init(app: CountedApp, sums: AccountSums) { (self.app, self.sums) = (app, sums) }

    /// Reads a report. A stranger may have written it, so numbers that cannot be are cut off, and so are names.
    /// - Parameters:
    ///   - app: the app when the report was made.
    ///   - lost: lost events by reason.
    /// - Returns: nil for a report that says nothing about delivery.
    init?(_ report: JSON, app: ReportedApp?, lost: HealthCounts) {
        guard let delivery = report["delivery"], delivery.objectValue != nil else { return nil }
        sums = AccountSums()
        sums[.reports] = 1
        sums[.tracked] = Self.count(delivery["tracked"])
        sums[.delivered] = Self.count(delivery["uploaded"])
        sums[.refused] = Self.count(delivery["deadLettered"])
        for (reason, count) in lost.json { sums.lose(count.intValue ?? 0, because: reason) }
        if (report["seconds"]?.intValue ?? 0) > Self.lateSeconds { sums[.late] = 1 }
        self.app = Self.counted(report["app"], app)
        if let account = report["account"], account.objectValue != nil {
            read(account)
        } else {
            readEarlier(delivery, report["destinations"]?.elements ?? [])
        }
        sums.balance()
    }

    private static func counted(_ json: JSON?, _ app: ReportedApp?) -> CountedApp {
        guard json?["isMixed"] != true else { return .unknown }
        guard let counted = json?["counted"] else { return app.map { .version($0.version ?? "") } ?? .version("") }
        let isUsable = ReportedApp(reported: ["version": counted]) != nil || counted == ""
        return isUsable ? .version(counted.stringValue ?? "") : .unknown
    }

    private mutating func read(_ account: JSON) {
        sums[.deleted] = Self.count(account["deleted"])
        sums[.notChosen] = Self.count(account["notChosen"])
        let waiting = account["waiting"]?.intValue ?? 0
        sums[.moreWaiting] = min(max(0, waiting), Self.mostCounted)
        sums[.fewerWaiting] = min(max(0, -max(waiting, -Self.mostCounted)), Self.mostCounted)
        for json in (account["events"]?.elements ?? []).prefix(Self.mostNames) {
            let name = json["name"]?.stringValue ?? ""
            let event = Self.withUsableNames(AccountSums.event(json, atMost: Self.mostCounted))
            sums.count(Self.isUsable(name) ? name : "", event)
            sums[.plugins] = min(sums[.plugins] + event.plugins.values.reduce(0, +), Self.mostCounted)
            sums[.rules] = min(sums[.rules] + event.rules.values.reduce(0, +), Self.mostCounted)
        }
    }

    /// Reads the report of an earlier client. It does not say how many events waited before, and which plugins dropped events.
    private mutating func readEarlier(_ delivery: JSON, _ destinations: [JSON]) {
        sums[.partial] = 1
        let server = destinations.first { $0["key"]?.stringValue == Self.server }
        sums[.plugins] = Self.count(delivery["dropped"]) + Self.count(server?["dropped"])
        sums[.rules] = Self.count(server?["filtered"])
    }

    private static func withUsableNames(_ event: AccountSums.Event) -> AccountSums.Event {
        var usable = AccountSums.Event()
        usable.events = event.events
        for (name, count) in event.plugins { usable.drop(count, plugin: isUsable(name) ? name : "") }
        for (name, count) in event.rules { usable.drop(count, rule: isUsable(name) ? name : "") }
        return usable
    }

    private static func isUsable(_ name: String) -> Bool {
        name.utf8.count <= nameBytes && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static func count(_ json: JSON?) -> Int { min(max(0, json?.intValue ?? 0), mostCounted) }

    // MARK: JSON

    /// The form in the log of a cluster.
    package var json: JSON { ["app": .string(app.stored), "sums": sums.json] }

    /// Nil when the JSON is not an account.
    package init?(_ json: JSON?) {
        guard let json, let app = json["app"]?.stringValue.flatMap(CountedApp.init(stored:)), let sums = json["sums"]
        else { return nil }
        self.init(app: app, sums: AccountSums(sums))
    }
}
