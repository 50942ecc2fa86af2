package import TributaryJSON

/// The account of the events of a source by version of its app: what devices say of their ends, beside what the server stored.
///
/// Devices can be silent, and reports can be missing, late or invented. So stored events without a report are not yet heard of,
/// and deliveries without a stored event are only claimed.
package struct LossLedger: Sendable, Equatable {
    /// The most losses that are listed for each version.
    private static let mostLosses = 20

    /// Stored events by version of the app.
    package struct Stored: Sendable, Equatable {
        package var events: [CountedApp: Int] = [:]
        /// The most events that a version may lack, because there were too many versions.
        package var mayLack = 0

        package init(_ events: [CountedApp: Int] = [:]) { self.events = events }

        /// Reads the result of a breakdown by version of the app.
        package init(breakdown json: JSON) {
            mayLack = json["mayLack"]?.intValue ?? 0
            for value in json["values"]?.elements ?? [] {
                // A version that is no text, or not a usable one, is one of the others.
                let version = ReportedApp(reported: ["version": value["value"] ?? .null])?.version
                add(value, version.map(CountedApp.version) ?? .others)
            }
            add(json["others"], .others)
            add(json["absent"], .version(""))
        }

        private mutating func add(_ tally: JSON?, _ app: CountedApp) {
            guard let count = tally?["count"]?.intValue, count > 0 else { return }
            events[app, default: 0] += count
        }
    }

    /// A part of the events of one name that one plugin or rule kept from the server.
    package struct Loss: Sendable, Equatable {
        package enum Part: String, Sendable { case plugin, rule }

        package let event: String
        package let part: Part
        package let name: String
        package let dropped: Int
        /// All events of that name of which reports tell.
        package let events: Int

        /// From 0 to 1; nil when reports tell of fewer events than were dropped.
        package var share: Double? { events >= dropped && events > 0 ? Double(dropped) / Double(events) : nil }
    }

    /// The account of one version of the app, or of all.
    package struct Line: Sendable, Equatable {
        package let sums: AccountSums
        /// Devices that reported; a device is one start of the app.
        package let devices: Int
        /// Nil when stored events were not counted.
        package let stored: Int?

        /// Stored events of which no report tells yet; nil when stored events were not counted. Of all versions it is the sum, so
        /// that what one version claims does not hide what another one does not tell.
        package let unheard: Int?
        /// Deliveries in reports of which no event is stored.
        package let claimed: Int?

        /// The line of one version.
        fileprivate init(_ sums: AccountSums, devices: Int, stored: Int?) {
            (self.sums, self.devices, self.stored) = (sums, devices, stored)
            unheard = stored.map { max(0, $0 - sums[.delivered]) }
            claimed = stored.map { max(0, sums[.delivered] - $0) }
        }

        /// The line of all versions.
        fileprivate init(_ lines: [Line]) {
            func sum(_ count: (Line) -> Int?) -> Int? {
                let known = lines.compactMap(count)
                return known.count == lines.count ? known.reduce(0, +) : nil
            }
            sums = lines.reduce(into: AccountSums()) { $0.add($1.sums) }
            devices = lines.reduce(0) { $0 + $1.devices }
            (stored, unheard, claimed) = (sum(\.stored), sum(\.unheard), sum(\.claimed))
        }

        /// The share of the stored events of which reports tell, from 0 to 1; nil when nothing is stored.
        package var heardShare: Double? {
            guard let stored, let unheard, stored > 0 else { return nil }
            return Double(stored - unheard) / Double(stored)
        }
        /// Events that are gone without the intention of a rule: lost, refused, or dropped by a plugin.
        package var losses: Int { sums.lostEvents + sums[.refused] + sums[.plugins] }
        /// From 0 to 1; nil when reports tell of fewer tracked events.
        package var lossShare: Double? {
            let tracked = sums[.tracked]
            return tracked > 0 && losses <= tracked ? Double(losses) / Double(tracked) : nil
        }

        /// The drops by name, the most first.
        package var drops: [Loss] {
            let all = sums.events.flatMap { name, event in
                event.plugins.map { Loss(event: name, part: .plugin, name: $0, dropped: $1, events: event.events) }
                    + event.rules.map { Loss(event: name, part: .rule, name: $0, dropped: $1, events: event.events) }
            }
            let sorted = all.sorted { ($1.dropped, $0.event, $0.name) < ($0.dropped, $1.event, $1.name) }
            return Array(sorted.prefix(LossLedger.mostLosses))
        }
    }

    /// The newest version first.
    package let apps: [(app: CountedApp, line: Line)]
    package let all: Line

    /// - Parameters:
    ///   - sums: of hours, or of days; a version may come often.
    ///   - devices: how many devices with each version reported.
    ///   - stored: nil when stored events were not counted.
    package init(_ sums: [(app: CountedApp, sums: AccountSums)], devices: [CountedApp: Int], stored: Stored?) {
        var byApp: [CountedApp: AccountSums] = [:]
        for row in sums { byApp[row.app, default: AccountSums()].add(row.sums) }
        // Versions with too many neighbours are the others, among stored events and among reports.
        let known = Set(byApp.keys)
        var events: [CountedApp: Int] = [:]
        for (app, count) in stored?.events ?? [:] {
            let hasOthers = known.contains(.others) && !known.contains(app) && app != .version("")
            events[hasOthers ? .others : app, default: 0] += count
        }
        apps = known.union(events.keys).sorted().map { app in
            let line = Line(
                byApp[app] ?? AccountSums(), devices: devices[app] ?? 0, stored: stored.map { _ in events[app] ?? 0 })
            return (app, line)
        }
        let all = Line(apps.map(\.line))
        self.all = apps.isEmpty ? Line(AccountSums(), devices: 0, stored: stored.map { _ in 0 }) : all
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.all == other.all && one.apps.elementsEqual(other.apps) { $0.app == $1.app && $0.line == $1.line }
    }

    // MARK: JSON

    package var json: JSONObject {
        let lines = apps.map { app, line in
            var object = line.json
            object["version"] = .string(app.version)
            object["kind"] = .string(app.kind)
            return JSON.object(object)
        }
        return ["apps": .array(lines), "all": .object(all.json)]
    }
}

extension LossLedger.Line {
    /// The counts under their own names, and the figures that follow from them.
    var json: JSONObject {
        var object: JSONObject = ["devices": .number(devices)]
        let shown: [AccountSums.Count] = [
            .reports, .tracked, .delivered, .refused, .deleted, .notChosen, .unexplained, .unbegun, .partial, .late,
            .missing,
        ]
        for count in shown { object[count.rawValue] = .number(sums[count]) }
        object["dropped"] = ["plugins": .number(sums[.plugins]), "rules": .number(sums[.rules])]
        object["lost"] = .object(AccountSums.json(sums.lost))
        object["waiting"] = .number(sums.waiting)
        object["stored"] = .number(stored)
        object["unheard"] = .number(unheard)
        object["claimed"] = .number(claimed)
        object["heardShare"] = Self.number(heardShare)
        object["lossShare"] = Self.number(lossShare)
        object["drops"] = .array(drops.map(Self.json))
        return object
    }

    private static func json(_ loss: LossLedger.Loss) -> JSON {
        [
            "event": .string(loss.event), "part": .string(loss.part.rawValue), "name": .string(loss.name),
            "dropped": .number(loss.dropped), "events": .number(loss.events), "share": number(loss.share),
        ]
    }

    /// With four digits: more would be noise.
    private static func number(_ share: Double?) -> JSON {
        share.flatMap { JSONNumber(($0 * 10_000).rounded() / 10_000) }.map(JSON.number) ?? .null
    }
}
