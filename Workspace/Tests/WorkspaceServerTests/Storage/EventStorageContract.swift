import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

/// The rules of every storage of events. The suite of each storage checks each rule with an empty storage.
struct EventStorageContract {
    let storage: any EventStorage

    enum Rule: String, CaseIterable {
        case theBacklogIsCounted, aRepeatedBlockChangesNothing, sourcesAreApart, pagesGoOverDays,
            valuesAreFound, aTraceIsReplaced, aDayIsForgotten, aSourceIsForgotten,
            aPersonIsErased, countsAreThoseOfTheEvents, propertiesAreCounted,
            namesBeyondTheLimitAreCountedTogether, breakdownsLookAtEachEventOnce, identitiesAreTold
    }

    func check(_ rule: Rule) async throws {
        switch rule {
        case .theBacklogIsCounted: try await theBacklogIsCounted()
        case .aRepeatedBlockChangesNothing: try await aRepeatedBlockChangesNothing()
        case .sourcesAreApart: try await sourcesAreApart()
        case .pagesGoOverDays: try await pagesGoOverDays()
        case .valuesAreFound: try await valuesAreFound()
        case .aTraceIsReplaced: try await aTraceIsReplaced()
        case .aDayIsForgotten: try await aDayIsForgotten()
        case .aSourceIsForgotten: try await aSourceIsForgotten()
        case .aPersonIsErased: try await aPersonIsErased()
        case .countsAreThoseOfTheEvents: try await countsAreThoseOfTheEvents()
        case .propertiesAreCounted: try await propertiesAreCounted()
        case .namesBeyondTheLimitAreCountedTogether: try await namesBeyondTheLimitAreCountedTogether()
        case .breakdownsLookAtEachEventOnce: try await breakdownsLookAtEachEventOnce()
        case .identitiesAreTold: try await identitiesAreTold()
        }
    }

    private let writeKeys: [Int64: String] = [1: "WK", 2: "OTHER"]

    private func row(
        _ number: Int64, _ content: EventBlock.Content, day: Int64 = 0, source: Int64 = 1
    ) -> EventBlock.Row {
        let receivedAt = StoredEvents.day(day)
        let identity: RowIdentity =
            switch content {
            case .event(let event): RowIdentity(kind: .event, source: source, id: event.messageId)
            case .trace(let trace, _): RowIdentity(kind: .trace, source: source, id: trace.messageId)
            case .signal(let signal): RowIdentity(kind: .signal, source: source, id: signal.messageId)
            case .rejected(let event): RowIdentity(kind: .rejected, source: source, id: event.identity)
            }
        return EventBlock.Row(
            identity: identity, number: number, day: Day(milliseconds: receivedAt), receivedAt: receivedAt,
            content: content)
    }

    private func event(_ number: Int64, _ id: String, day: Int64 = 0, source: Int64 = 1) -> EventBlock.Row {
        row(number, .event(StoredEvents.event(id, at: StoredEvents.day(day))), day: day, source: source)
    }

    private func append(_ rows: [EventBlock.Row], through sequence: UInt64 = 1) async throws {
        let identity = EventBlock.Identity(epoch: 7, after: sequence - 1, through: sequence)
        try await storage.append(EventBlock(identity: identity, storedAt: StoredEvents.noon, rows: rows))
    }

    private func query(_ list: RowQuery.List, _ change: (inout RowQuery) -> Void = { _ in }) -> RowQuery {
        var query = RowQuery(list)
        query.writeKeys = writeKeys
        query.order = .ascending
        change(&query)
        return query
    }

    private func numbers(
        _ list: RowQuery.List = .events, _ change: (inout RowQuery) -> Void = { _ in }
    ) async throws -> [Int64] {
        try await storage.rows(query(list, change)).map(\.sequence)
    }

    /// The backlog of one source over days is counted up to the given limit.
    func theBacklogIsCounted() async throws {
        try await append([
            event(1, "a"), event(2, "b", source: 2), event(3, "c", day: 1), row(4, .signal(StoredEvents.signal("s"))),
            event(5, "d", day: 1),
        ])
        let day = StoredEvents.day
        #expect(try await storage.backlog(of: 1, after: 0, atMost: 9) == EventBacklog(count: 3, oldest: day(0)))
        #expect(try await storage.backlog(of: 1, after: 1, atMost: 9) == EventBacklog(count: 2, oldest: day(1)))
        #expect(try await storage.most(query(.bodies)) >= 4)
        #expect(try await storage.most(query(.bodies) { $0.after = 2 }) >= 2)
        #expect(try await storage.most(query(.bodies) { ($0.after, $0.before) = (1, 5) }) >= 2)
        #expect(try await storage.most(query(.bodies) { ($0.after, $0.before) = (.max, .min) }) == 0)
        #expect(try await storage.backlog(of: 1, after: 0, atMost: 2) == EventBacklog(count: 2, oldest: day(0)))
        #expect(try await storage.backlog(of: 1, after: 5, atMost: 9) == EventBacklog())
        #expect(try await storage.backlog(of: 2, after: 0, atMost: 9) == EventBacklog(count: 1, oldest: day(0)))
    }

    /// A repeated block changes nothing, and neither do its rows in other blocks with other numbers.
    func aRepeatedBlockChangesNothing() async throws {
        let rows = [
            event(1, "a"), event(2, "b", day: 1), row(3, .signal(StoredEvents.signal("s"))),
            row(1, .rejected(StoredEvents.rejected(nil, place: "7-1-0"))),
        ]
        try await append(rows)
        let before = try await storage.rows(query(.stream)).map(\.text)
        try await append(rows)
        try await append([event(11, "a")])
        try await append([
            event(12, "b", day: 1), row(13, .signal(StoredEvents.signal("s"))),
            row(2, .rejected(StoredEvents.rejected(nil, place: "7-1-0"))),
        ])
        #expect(try await storage.rows(query(.stream)).map(\.text) == before)
        #expect(try await numbers(.rejected) == [1])
        #expect(try await storage.highest().stream >= 3)
    }

    /// Equal ids of two sources are two events.
    func sourcesAreApart() async throws {
        try await append([event(1, "a"), event(2, "a", source: 2)])
        #expect(try await numbers() == [1, 2])
        #expect(try await numbers { $0.source = 2 } == [2])
        // For a token that sees some sources only.
        #expect(try await numbers { $0.sources = [2] } == [2])
        #expect(try await numbers { $0.sources = [1, 2] } == [1, 2])
        #expect(try await numbers { $0.sources = [] } == [])
        #expect(try await numbers { ($0.source, $0.sources) = (1, [2]) } == [])
        let noon = StoredEvents.noon
        #expect(try await storage.event("a", source: 2, receivedAt: noon, writeKey: "OTHER")?.sequence == 2)
        #expect(try await storage.event("b", source: 2, receivedAt: noon, writeKey: "OTHER") == nil)
    }

    /// Lists go over days in the order of their numbers, page by page, whatever the order of the days is.
    func pagesGoOverDays() async throws {
        // The clock leaps ahead between two blocks, and comes back.
        let days: [Int64] = [0, 0, 1, 1, 40, 40, 1, 2, 2, 40, 3, 3]
        for (index, day) in days.enumerated() { try await append([event(Int64(index) + 1, "m-\(index)", day: day)]) }
        let all = (1...12).map(Int64.init)
        for limit in [1, 2, 3, 5, 12, 13] {
            for order in [EventQuery.Order.ascending, .descending] {
                var found: [Int64] = []
                var position: Int64?
                while true {
                    let page = try await numbers {
                        $0.limit = limit
                        $0.order = order
                        if order == .ascending { $0.after = position } else { $0.before = position }
                    }
                    found += page
                    position = page.last
                    if page.count < limit { break }
                }
                #expect(found == (order == .ascending ? all : all.reversed()))
            }
        }
        #expect(try await numbers { ($0.after, $0.before) = (3, 9) } == [4, 5, 6, 7, 8])
        #expect(try await numbers { $0.since = StoredEvents.day(2) } == [5, 6, 8, 9, 10, 11, 12])
        #expect(try await numbers { $0.until = StoredEvents.day(1) } == [1, 2])
        #expect(try await numbers(.stream) == all)
        #expect(try await numbers(.bodies) { $0.matches = [.init(column: .userId, value: "x")] }.isEmpty)
    }

    /// Rows with a value are found whatever their numbers are, page by page.
    func valuesAreFound() async throws {
        // An index may have parts by the numbers, and some of them may have no match.
        let own: [Int64] = [1, 8_191, 8_193, 16_384] + (3...10).map { $0 * 8_192 + 5 } + [100_000]
        for number in own {
            let event = StoredEvents.event("o-\(number)", userId: "own", anonymousId: "device")
            try await append([row(number, .event(event))])
            try await append([self.event(number + 1, "x-\(number)")])
        }
        let late = StoredEvents.event("late", at: StoredEvents.day(1), userId: "own", anonymousId: "device")
        try await append([row(100_002, .event(late), day: 1)])
        let all = own + [100_002]
        for (column, value) in [(EventQuery.Match.Column.userId, "own"), (.anonymousId, "device")] {
            for limit in [1, 2, 6, 10, own.count + 1, own.count + 2] {
                for order in [EventQuery.Order.ascending, .descending] {
                    let found = try await numbers {
                        ($0.matches, $0.limit, $0.order) = ([.init(column: column, value: value)], limit, order)
                    }
                    #expect(found == Array((order == .ascending ? all : all.reversed()).prefix(limit)))
                }
            }
            let some = try await numbers {
                ($0.matches, $0.after, $0.before) = ([.init(column: column, value: value)], 8_191, 100_000)
            }
            #expect(some == Array(own.dropFirst(2).dropLast()))
        }
        #expect(try await numbers { $0.matches = [.init(column: .type, value: "track")] }.count == own.count * 2 + 1)
        #expect(try await numbers { $0.matches = [.init(column: .type, value: "alias")] }.isEmpty)
        #expect(try await numbers { $0.matches = [.init(column: .name, value: "E")] }.count == own.count * 2 + 1)
        #expect(try await numbers { $0.numbers = [8_193, 100_002, 5] } == [8_193, 100_002])
    }

    /// A trace replaces the one before, gets a new number, and is shown with its event.
    func aTraceIsReplaced() async throws {
        try await append([event(1, "a")])
        #expect(await storage.mayHaveTraces() == false)
        try await append([row(2, .trace(StoredEvents.trace("a", trackedAt: 5), eventAt: StoredEvents.noon))])
        #expect(await storage.mayHaveTraces())
        try await append([row(3, .trace(StoredEvents.trace("a", isDropped: true, trackedAt: 9)))])
        #expect(try await numbers(.stream) == [1, 3])
        #expect(try await numbers(.drops) == [3])
        let shown = try await storage.rows(query(.events)).map { String(decoding: $0.text, as: UTF8.self) }
        #expect(shown.first?.contains(#""trackedAt":"T9""#) == true)
        let day = Day(milliseconds: StoredEvents.noon)
        #expect(try await storage.trace("a", source: 1, day: day)?.trackedAt == 9)
        let figures = try await storage.figures(source: nil)
        // Only a storage without counters beside it counts events itself.
        let counted = StorageFigures.Counted(byType: ["track": 1])
        let others = try await storage.figures(source: 2)
        #expect(
            figures
                == StorageFigures(
                    counted: figures.counted.map { _ in counted }, tracedDrops: 1, latencies: [StoredEvents.noon - 9]))
        #expect(others == StorageFigures(counted: figures.counted.map { _ in StorageFigures.Counted() }))
    }

    /// A day is deleted as a whole, and can be filled again.
    func aDayIsForgotten() async throws {
        try await append([event(1, "a"), event(2, "b", day: 1)])
        let day = Day(milliseconds: StoredEvents.noon)
        #expect(try await storage.days() == [day, day.advanced(by: 1)])
        try await storage.remove(day)
        #expect(try await storage.days() == [day.advanced(by: 1)])
        #expect(try await numbers() == [2])
        #expect(try await storage.event("a", source: 1, receivedAt: StoredEvents.noon, writeKey: "WK") == nil)
        try await append([event(3, "a")])
        #expect(try await numbers() == [2, 3])
    }

    /// The events of a deleted source go from all days, and the events of other sources stay.
    func aSourceIsForgotten() async throws {
        try await append([
            event(1, "a"), event(2, "b", day: 1), event(3, "a", source: 2), row(4, .signal(StoredEvents.signal("s"))),
            row(1, .rejected(StoredEvents.rejected("r", place: "p"))),
        ])
        #expect(try await storage.removeAll(of: 1, overwriting: false, { _ in }) == 2)
        #expect(try await numbers(.stream) == [3])
        #expect(try await numbers(.rejected) == [])
        #expect(try await storage.removeAll(of: 1, overwriting: true, { _ in }) == 0)
        try await append([event(5, "a")])
        #expect(try await numbers() == [3, 5])
    }

    /// An erasure deletes the rows of the user and no other rows.
    func aPersonIsErased() async throws {
        let other = StoredEvents.event("other", userId: "v", body: #"{"userId":"v","properties":{"color":"u-1"}}"#)
        let nested = StoredEvents.event("nested", userId: "v", body: #"{"userId":"v","context":{"userId":"u-\u0031"}}"#)
        try await append([
            row(1, .event(StoredEvents.event("own", userId: "u-1", anonymousId: "a"))),
            row(2, .event(StoredEvents.event("before", userId: nil, anonymousId: "a")), day: -1),
            row(3, .event(other)), row(4, .event(nested)),
            row(5, .signal(StoredEvents.signal("s"))), row(6, .signal(StoredEvents.signal("t", anonymousId: "b"))),
            row(7, .trace(StoredEvents.trace("own"))), row(8, .trace(StoredEvents.trace("other"))),
            row(1, .rejected(StoredEvents.rejected("r", place: "p", body: #"{"userId":"u-1"}"#))),
            row(2, .rejected(StoredEvents.rejected("q", place: "p", body: #"{"userId":"v"}"#))),
        ])
        let erased = try await storage.erase("u-1")
        #expect(erased == Erased(events: 3, rejected: 1, traces: 1, signals: 1))
        #expect(try await numbers() == [3])
        #expect(try await numbers(.stream) == [3, 6, 8])
        #expect(try await numbers(.rejected) == [2])
        #expect(try await storage.erase("u-1") == Erased())
    }

    /// The counts of a source: `+1 track E` is a name of the day after.
    private func counts(_ source: Int64 = 1, from first: Int64 = -9, through last: Int64 = 9) async throws -> [String:
        Int64]
    {
        let today = Day(milliseconds: StoredEvents.noon)
        let found = try await storage.nameCounts(
            of: source, on: today.advanced(by: first)...today.advanced(by: last), plan: .none)
        let named = found.map { count in
            let name = count.name.label == .others ? "(others)" : count.name.text ?? "(none)"
            return ("\(count.day.number - today.number) \(count.name.type) \(name)", count.count)
        }
        return Dictionary(named, uniquingKeysWith: +)
    }

    private func properties(of name: CountedName, source: Int64 = 1) async throws -> [String: [PropertyKind: Int64]] {
        let today = Day(milliseconds: StoredEvents.noon)
        let days = today.advanced(by: -9)...today.advanced(by: 9)
        let found =
            try await storage.properties(of: [name], source: source, on: days, plan: .none)[name] ?? CountedProperties()
        var counts = Dictionary(uniqueKeysWithValues: found.keys.map { (String(decoding: $0, as: UTF8.self), $1) })
        if found.others.total > 0 { counts["(others)"] = found.others }
        return counts.mapValues { counts in
            Dictionary(uniqueKeysWithValues: PropertyKind.allCases.map { ($0, counts[$0]) }.filter { $0.1 > 0 })
        }
    }

    /// Events are counted by name and day, also after a repeated block, an erasure and a deletion.
    func countsAreThoseOfTheEvents() async throws {
        // Two names look the same, but one has a character of two parts; a third name has a NUL.
        let names = ["caf\u{E9}", "cafe\u{301}", "a\u{0}b"]
        let rows =
            [
                event(1, "a"), event(2, "b"), event(3, "c", day: 1), event(4, "d", source: 2),
                row(5, .event(StoredEvents.event("e", type: .identify, name: nil, userId: "own"))),
                row(6, .event(StoredEvents.event("f", userId: "own"))),
            ]
            + names.enumerated().map { index, name in
                row(Int64(7 + index), .event(StoredEvents.event("g\(index)", type: .screen, name: name)))
            }
        try await append(rows)
        try await append(rows)
        try await append([event(20, "a")])
        let all = try await counts()
        #expect(
            all == [
                "0 track E": 3, "1 track E": 1, "0 identify (none)": 1, "0 screen \(names[0])": 2,
                "0 screen \(names[2])": 1,
            ])
        let day = Day(milliseconds: StoredEvents.noon)
        let screens = try await storage.nameCounts(of: 1, on: day...day, plan: .none).filter { $0.name.type == .screen }
        #expect(screens.count == 3)
        #expect(screens.allSatisfy { $0.hours == StoredEvents.noon / 3_600_000...StoredEvents.noon / 3_600_000 })
        let hours = try await storage.nameCounts(of: 1, on: day...day.advanced(by: 1), plan: .none, byHour: true)
        #expect(hours.allSatisfy { $0.hours.count == 1 && $0.hours.lowerBound / 24 == $0.day.number })
        #expect(hours.reduce(0) { $0 + $1.count } == 8)
        #expect(try await counts(2) == ["0 track E": 1])
        #expect(try await counts(from: 1) == ["1 track E": 1])
        #expect(try await storage.erase("own").events == 2)
        #expect(try await counts()["0 track E"] == 2)
        #expect(try await counts()["0 identify (none)"] == nil)
        try await storage.remove(day)
        #expect(try await counts() == ["1 track E": 1])
        #expect(try await storage.removeAll(of: 1, overwriting: false, { _ in }) == 1)
        #expect(try await counts() == [:])
    }

    /// Properties of the first level are counted with their types; identify and group have traits instead.
    func propertiesAreCounted() async throws {
        func body(_ user: String, _ text: String) -> String { #"{"userId":"\#(user)",\#(text)}"# }
        let bodies = [
            body("u", #""properties":{"a":1,"b":"x","c":{"a":"deep"},"a":"again"},"traits":{"no":1}"#),
            body("u", #""properties":{"b":null,"\u0061":2.5,"list":[1]}"#),
            body("own", #""properties":{"a":true,"secret":1},"context":{"properties":{"no":1}}"#),
            body("u", #""properties":"none""#), body("u", #""x":1"#), "no JSON",
        ]
        var rows = bodies.enumerated().map { index, body in
            let user = body.contains("own") ? "own" : "u"
            return row(Int64(index + 1), .event(StoredEvents.event("m-\(index)", userId: user, body: body)))
        }
        let traits = body("u", #""traits":{"plan":"pro"},"properties":{"no":1}"#)
        rows.append(row(11, .event(StoredEvents.event("i", type: .identify, name: nil, body: traits))))
        rows.append(row(12, .event(StoredEvents.event("next", at: StoredEvents.day(1), body: bodies[1])), day: 1))
        try await append(rows)
        try await append(rows)
        let name = CountedName(.track, name: "E")
        let all = try await properties(of: name)
        #expect(
            all == [
                "a": [.number: 3, .boolean: 1], "b": [.string: 1, .null: 2], "c": [.object: 1], "list": [.array: 2],
                "secret": [.number: 1],
            ])
        #expect(try await properties(of: CountedName(.identify, name: nil)) == ["plan": [.string: 1]])
        #expect(try await properties(of: name, source: 2) == [:])
        #expect(try await storage.erase("own").events == 1)
        let left = try await properties(of: name)
        #expect(left["secret"] == nil)
        #expect(left["a"] == [.number: 3])
    }

    /// Keys and names beyond the limit are counted together, and an erasure reduces the right count.
    func namesBeyondTheLimitAreCountedTogether() async throws {
        let limit = Int64(Limits.countedNames)
        func named(_ index: Int64, _ id: String) -> EventBlock.Row {
            let user = [7, limit].contains(index) ? "user-\(index)" : "many"
            return row(index + 1, .event(StoredEvents.event(id, name: "N\(index)", userId: user)))
        }
        try await append((0..<limit + 3).map { named($0, "m-\($0)") })
        try await append((0..<10).map { row(5_000 + $0, .event(StoredEvents.event("again-\($0)", name: "N0"))) })
        #expect(try await counts()["0 track (others)"] == 3)
        #expect(try await counts()["0 track N0"] == 11)
        #expect(try await counts().count == Int(limit) + 1)
        #expect(try await storage.erase("user-\(limit)").events == 1)
        #expect(try await counts()["0 track (others)"] == 2)
        #expect(try await storage.erase("user-7").events == 1)
        #expect(try await counts()["0 track N7"] == nil)
        // A storage may or may not give the place of an erased name to a later name.
        try await append([row(6_000, .event(StoredEvents.event("late", name: "N\(limit + 1)", userId: "late")))])
        #expect(try await counts().values.reduce(0, +) == limit + 3 - 2 + 10 + 1)
        #expect(try await counts().count <= Int(limit) + 1)
        for user in ["many", "late", "u"] { _ = try await storage.erase(user) }
        #expect(try await counts() == [:])

        let keys = (0..<Limits.countedKeys + 5).map { #""k\#($0)":1"# }.joined(separator: ",")
        let long = String(repeating: "k", count: Limits.countedKeyBytes + 1)
        let body = #"{"userId":"w","properties":{\#(keys),"\#(long)":"x"}}"#
        try await append([row(7_000, .event(StoredEvents.event("keys", name: nil, userId: "w", body: body)))])
        let found = try await properties(of: CountedName(.track, name: nil))
        #expect(found.count == Limits.countedKeys + 1)
        #expect(found["(others)"] == [.number: 5, .string: 1])
        #expect(try await storage.erase("w").events == 1)
        #expect(try await properties(of: CountedName(.track, name: nil)) == [:])
    }

    /// A rule of storages that count events at their arrival: a name that gets the place of an erased one has all of its
    /// events there, also those that were among the others.
    func freePlacesAreTakenWhole() async throws {
        let limit = Int64(Limits.countedNames)
        try await append(
            (0...limit).map { index in
                let user = index == 7 ? "seventh" : "many"
                return row(index + 1, .event(StoredEvents.event("m-\(index)", name: "N\(index)", userId: user)))
            })
        #expect(try await storage.erase("seventh").events == 1)
        try await append([row(6_000, .event(StoredEvents.event("late", name: "N\(limit)")))])
        #expect(try await counts()["0 track (others)"] == nil)
        #expect(try await counts()["0 track N\(limit)"] == 2)
    }

    /// An event of an even or an odd plan.
    private func planned(_ number: Int64, day: Int64, source: Int64 = 1) -> EventBlock.Row {
        let plan = number.isMultiple(of: 2) ? "even" : "odd"
        let body = #"{"userId":"u-\#(number)","properties":{"plan":"\#(plan)"}}"#
        let event = StoredEvents.event("m-\(number)", at: StoredEvents.day(day), body: body)
        return row(number, .event(event), day: day, source: source)
    }

    /// A breakdown reads page by page and day by day, and only events of the source and the days.
    func breakdownsLookAtEachEventOnce() async throws {
        let pages = Int64(Limits.rowsInScanStep) * 2 + 1
        try await append((1...pages).map { planned($0, day: 0) } + [row(9_000, .signal(StoredEvents.signal("s")))])
        try await append([
            planned(10_000, day: 1), planned(10_001, day: 1, source: 2), planned(10_002, day: -1),
            planned(10_004, day: 2),
        ])
        let today = Day(milliseconds: StoredEvents.noon)
        let intervals = try Intervals(.day, of: today...today.advanced(by: 1), in: nil)
        func result(_ time: Breakdown.Question.Time) async throws -> JSON {
            let question = Breakdown.Question(
                intervals: intervals, time: time, path: try JSONPath("properties.plan"))
            var scan = try await BreakdownScan(
                question, query(.events) { $0.source = 1 }, storage: storage, scans: Scans())
            while try await scan.step() {}
            return scan.result(limit: 10)
        }
        func total(_ time: Breakdown.Question.Time) async throws -> JSON? {
            try await result(time)["total"]?["count"]
        }
        let counts = try await result(.received)
        #expect(counts["looked"] == .number(Int(pages) + 1))
        let (even, odd) = (JSON.number(Int(pages / 2)), JSON.number(Int(pages / 2) + 1))
        #expect(
            counts["values"] == [
                ["value": "even", "count": odd, "before": 0, "users": odd, "days": [even, 1]],
                ["value": "odd", "count": odd, "before": 0, "users": odd, "days": [odd, 0]],
            ])
        // The events of the test happened when they arrived, except for one that arrived a month later.
        try await append([row(20_000, .event(StoredEvents.event("late", at: StoredEvents.day(1))), day: 30)])
        let happened = try await total(.happened)
        #expect(happened?.intValue == Int(pages) + 2)
        let received = try await total(.received)
        #expect(received?.intValue == Int(pages) + 1)
    }

    /// A storage lists the identities of all rows, for a rebuild of the index.
    func identitiesAreTold() async throws {
        let rows = [
            event(1, "a"), event(2, "b"), row(3, .trace(StoredEvents.trace("a"))),
            row(4, .signal(StoredEvents.signal("s"))), row(1, .rejected(StoredEvents.rejected(nil, place: "p"))),
        ]
        try await append(rows)
        let day = Day(milliseconds: StoredEvents.noon)
        #expect(try await Set(storage.identities(of: day)) == Set(rows.map(\.identity)))
    }
}
