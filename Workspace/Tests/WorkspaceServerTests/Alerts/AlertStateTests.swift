import Testing
import TributaryJSON

@testable import WorkspaceCore

@Suite("Alert rules as values") struct AlertStateTests {
    private static let minute: Int64 = 60_000

    /// Looks at each time, and returns the messages for operators.
    private func messages(_ looks: [(at: Int64, reading: AlertReading)], _ state: inout AlertState) -> [String] {
        looks.compactMap { state.look($0.reading, of: "r", at: $0.at * Self.minute)?.text }
    }

    @Test("A message is sent when an alert begins, and another one when all was well for five minutes")
    func once() {
        var state = AlertState()
        let looks: [(Int64, AlertReading)] = [
            (0, .good("g")), (1, .bad("no event")), (2, .bad("no event")), (3, .good("g")), (7, .good("g")),
            (8, .good("an event came")), (9, .good("g")),
        ]
        #expect(messages(looks, &state) == ["alert r: no event", "alert r is over after 7 minutes: an event came"])
        #expect(state.phase == .quiet)
    }

    @Test("An alert that comes and goes sends one message", arguments: [AlertReading.bad("b"), .between("m")])
    func flapping(back: AlertReading) {
        var state = AlertState()
        let looks = (0..<100).map { (at: Int64($0), reading: $0.isMultiple(of: 4) ? back : AlertReading.good("g")) }
        #expect(messages([(0, .bad("b"))] + looks, &state) == ["alert r: b"])
    }

    @Test("An unknown state neither begins nor ends an alert")
    func unknown() {
        var state = AlertState()
        #expect(messages([(0, .unknown("u")), (1, .between("m")), (2, .unknown("u"))], &state) == [])
        #expect(messages([(3, .bad("b"))] + (4..<60).map { ($0, .unknown("u")) }, &state) == ["alert r: b"])
    }

    @Test("A clock that jumps back ends no alert early, and begins none twice")
    func clock() {
        var state = AlertState()
        let looks: [(Int64, AlertReading)] = [
            (1_000, .bad("b")), (1_001, .good("g")), (10, .good("g")), (11, .good("g")), (15, .good("well")),
        ]
        #expect(messages(looks, &state) == ["alert r: b", "alert r is over after 5 minutes: well"])
    }

    @Test("The stored state has everything, so a restart tells nothing twice")
    func stored() throws {
        var state = AlertState()
        let begun = state.look(.bad("b"), of: "r", at: 5)
        let message = try #require(begun)
        state.keep(message)
        state.sent(message.number, problem: "500 Internal Server Error", at: 6)
        _ = state.look(.good("g"), of: "r", at: 7)
        var read = AlertState(stored: try JSON.parse(state.stored.encoded()))
        #expect(read == state)
        #expect(messages([(1, .bad("b"))], &read) == [])
        #expect(AlertState(stored: ["since": "x", "waiting": [1, [:]]]) == AlertState())
    }

    @Test("A message that is not accepted is tried at growing pauses, for a day")
    func attempts() {
        var state = AlertState()
        state.keep(AlertMessage(number: 1, .firing, "t", at: 0))
        var (now, tries): (Int64, [Int64]) = (0, [])
        while let first = state.waiting.first {
            now = max(now, first.dueAt)
            #expect(state.due(at: now) == first)
            tries.append(now)
            state.sent(1, problem: "503", at: now)
            #expect(state.due(at: now) == nil)
        }
        #expect(tries.prefix(4) == [0, 30_000, 90_000, 210_000])
        #expect((20...40).contains(tries.count))
        #expect(state.lost == 1)
        #expect(state.problem == "503")
    }

    @Test("A clock that jumps back does not delay a message by more than an hour")
    func dueAfterJump() {
        var state = AlertState()
        state.keep(AlertMessage(number: 1, .firing, "t", at: 1_000_000_000))
        #expect(state.due(at: 5) != nil)
    }

    @Test("Messages that wait are sent in order, and the oldest goes when there are too many")
    func order() {
        var state = AlertState()
        for number in 1...12 { state.keep(AlertMessage(number: Int64(number), .firing, "t", at: 0)) }
        #expect(state.waiting.map(\.number) == Array(3...12))
        #expect(state.lost == 2)
        state.sent(3, problem: nil, at: 1)
        #expect(state.due(at: 1)?.number == 4)
    }

    @Test("Each kind has a limit to begin and a better one to end")
    func readings() {
        func rejected(_ bad: Int64, _ all: Int64) -> AlertReading {
            .rejected(.init(bad: bad, all: all), percent: 5, minutes: 30, atLeast: 20)
        }
        #expect(rejected(51, 1_000) == .bad("51 of 1000 events of the last 30 minutes were rejected"))
        if case .between = rejected(45, 1_000) {} else { Issue.record("4.5 % are between") }
        if case .good = rejected(40, 1_000) {} else { Issue.record("4 % are good") }
        if case .good = rejected(19, 19) {} else { Issue.record("19 events are too few") }
        #expect(
            AlertReading.lag(of: "Hook", minutes: 5, oldest: 0, now: 6 * Self.minute)
                == .bad("the oldest event that waits for Hook came 6 minutes ago"))
        if case .between = AlertReading.disk(percent: 10, free: 105, size: 1_000) {} else { Issue.record("10.5 %") }
        if case .unknown = AlertReading.disk(percent: 10, free: 0, size: 0) {} else { Issue.record("no figures") }
        #expect(
            AlertReading.deadLetters(of: "a\u{202E}b", count: 1, atLeast: 1) == .bad("a\u{FFFD}b has 1 dead letter"))
        let silence = AlertReading.silence(of: "E", minutes: 30, seen: 0, isEvent: false, now: 34 * Self.minute)
        #expect(silence == .bad("no event E for 34 minutes"))
        if case .unknown = AlertReading.silence(of: "E", minutes: 30, seen: 9, isEvent: false, now: 0) {
        } else {
            Issue.record("a clock that jumped back says nothing")
        }
    }

    @Test("A window counts what came since its beginning, and begins anew when the counts fall or the clock jumps back")
    func window() {
        var window = CountWindow()
        func add(_ bad: Int64, _ all: Int64, _ at: Int64) {
            window.add(.init(bad: bad, all: all), minutes: 10, at: at * Self.minute)
        }
        add(5, 100, 0)
        #expect(window.growth == nil)
        add(6, 110, 5)
        #expect(window.growth == .init(bad: 1, all: 10))
        add(7, 130, 11)
        add(7, 131, 16)
        #expect(window.growth == .init(bad: 1, all: 21))
        add(0, 3, 17)
        #expect(window.growth == nil)
        add(1, 4, 18)
        add(1, 4, 2)
        #expect(window.growth == nil)
        for at in 3..<100_000 { add(1, 4, Int64(at)) }
        #expect(window.growth == .init(bad: 0, all: 0))
    }

    @Test("Slack gets text without links and mentions, other webhooks an object")
    func bodies() {
        let message = AlertMessage(.firing, "alert r: <!channel> & more", at: 0)
        #expect(message.body(.slack, of: "r") == ["text": "alert r: &lt;!channel&gt; &amp; more"])
        #expect(
            message.body(.webhook, of: "r") == [
                "text": "alert r: <!channel> & more", "alert": "r", "state": "firing", "at": "1970-01-01T00:00:00.000Z",
            ])
    }

    @Test(
        "A wrong rule is refused with the reason",
        arguments: [
            ("[]", "is an object"), ("{}", "has a kind"), (#"{"kind":"dust"}"#, "has a kind"),
            (#"{"kind":"silence","event":"E"}"#, "writeKey is a text"),
            (#"{"kind":"silence","writeKey":"WK","event":""}"#, "event is a text"),
            (#"{"kind":"silence","writeKey":"WK","event":"E","minutes":0}"#, "minutes is a whole number from 1"),
            (#"{"kind":"silence","writeKey":"WK","event":"E","minutes":1e30}"#, "minutes is a whole number from 1"),
            (#"{"kind":"disk","percent":100}"#, "percent is a whole number"),
            (#"{"kind":"disk","minutes":1}"#, "has no minutes"), (#"{"kind":"disk","to":"pigeon"}"#, "to is"),
            (#"{"kind":"disk","to":"slack"}"#, "needs a url"), (#"{"kind":"disk","url":"http://a/"}"#, "with a url"),
            (#"{"kind":"disk","to":"slack","url":"ftp://a/SECRET"}"#, "the url is no address"),
            (#"{"kind":"disk","to":"slack","url":"http://u:SECRET@a/"}"#, "the url is no address"),
        ])
    func wrong(text: String, reason: String) throws {
        let json = try JSON.parse(text)
        #expect { try AlertRule("r", json) } throws: { error in
            let message = (error as? Refusal)?.message ?? ""
            return message.contains(reason) && !message.contains("SECRET")
        }
    }

    @Test(
        "A name with marks of direction or of more than 100 characters is refused",
        arguments: ["", "a\u{202E}b", "a\nb"])
    func names(name: String) throws {
        #expect(throws: Refusal.self) { try AlertRule(name, ["kind": "disk"]) }
        #expect(throws: Refusal.self) { try AlertRule(String(repeating: "a", count: 101), ["kind": "disk"]) }
    }

    @Test("The path of an address is not shown, and stays when a change names none")
    func address() throws {
        let url: JSON = ["kind": "disk", "to": "slack", "url": "https://hooks.example.com/T1/SECRET"]
        let rule = try AlertRule("r", url)
        #expect(rule.shown["url"] == "https://hooks.example.com/…")
        let changed = try AlertRule("r", ["kind": "disk", "percent": 5, "to": "webhook"], keeping: rule)
        #expect(changed.stored["url"] == "https://hooks.example.com/T1/SECRET")
        #expect(try AlertRule("r", changed.stored) == changed)
    }
}
