import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Alert rules of a workspace", .timeLimit(.minutes(30))) struct AlertTests {
    private let clock = TestClock()
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        environment.now = { [clock] in clock.now }
        return environment
    }

    /// Runs a workspace that looks at its rules only when `looks` says so.
    private func run(
        in folder: TemporaryFolder? = nil, noticeURL: String? = nil, pause: Duration = .seconds(3_600),
        _ body: (TestWorkspace) async throws -> Void
    ) async throws {
        try await TestWorkspace.run(
            in: folder, environment: environment, noticeURL: noticeURL, rolloutPause: .milliseconds(10),
            alertPause: pause, body)
    }

    private func looks(_ store: Store) throws -> AlertLooks {
        AlertLooks(
            store: store, sources: try SourceRegistry(store: store, now: { [clock] in clock.now }),
            states: ForwardingStates(), readings: AlertReadings(), now: { [clock] in clock.now }, logger: Self.logger)
    }

    /// One look at all rules, and the messages that are due after it.
    private func lookAndSend(_ store: Store) async throws {
        var looks = try looks(store)
        await looks.look()
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: AlertDelivery.configuration)
        await AlertSender(store: store, client: client, now: { [clock] in clock.now }, logger: Self.logger).send()
        try await client.shutdown()
    }

    private func put(_ client: TestClient, _ name: String, _ rule: JSON, status: Int = 201) async throws {
        let answer = try await client.put("/api/alerts/\(name)", rule.description)
        #expect(answer.status == status, "\(answer.text)")
    }

    private func state(_ client: TestClient, _ name: String) async throws -> JSON {
        let rules = try await client.get("/api/alerts").json["rules"]?.elements ?? []
        return try #require(rules.first { $0["name"]?.stringValue == name })
    }

    private static let silence: JSON = ["kind": "silence", "writeKey": "WK", "event": "Checkout", "minutes": 30]

    private static func silence(_ url: String) -> JSON {
        var rule = silence
        (rule["to"], rule["url"]) = ("webhook", .string(url))
        return rule
    }

    private func minutes(_ count: Int64) { clock.advance(by: count * 60_000) }

    @Test("A rule says once that an event does not come any more, and once that it comes again")
    func silent() async throws {
        try await run { workspace in
            let client = workspace.client
            try await put(client, "r", Self.silence("http://127.0.0.1:1/"))
            var looks = try looks(workspace.store)
            await looks.look()
            try await client.batch([Events.track(messageId: "1", name: "Checkout")])
            _ = try await client.events()
            await looks.look()
            minutes(29)
            try await client.batch([Events.track(messageId: "2", name: "Other")])
            _ = try await client.events()
            await looks.look()
            #expect(try await workspace.store.alert("r").state.count == 0)
            minutes(1)
            for _ in 0..<3 { await looks.look() }
            let begun = try await workspace.store.alert("r").state
            #expect(begun.waiting.map(\.text) == ["alert r: no event Checkout for 30 minutes"])
            #expect(try await state(client, "r")["state"] == "firing")
            // Another process looks, as after a restart.
            var restarted = try self.looks(workspace.store)
            for _ in 0..<3 {
                await restarted.look()
                minutes(40)
            }
            #expect(try await workspace.store.alert("r").state.count == 1)
            await restarted.look()
            try await client.batch([Events.track(messageId: "3", name: "Checkout")])
            _ = try await client.events()
            for _ in 0..<7 {
                await restarted.look()
                minutes(1)
            }
            let end = try await workspace.store.alert("r").state
            #expect(end.phase == .quiet)
            #expect(end.waiting.map(\.occasion) == [.firing, .over])
        }
    }

    @Test("Rejected events are compared with all events of the last minutes")
    func rejected() async throws {
        try await run { workspace in
            let client = workspace.client
            try await put(
                client, "r",
                [
                    "kind": "rejected", "writeKey": "WK", "percent": 5, "minutes": 10, "atLeast": 4, "to": "slack",
                    "url": "http://127.0.0.1:1/",
                ])
            var looks = try looks(workspace.store)
            await looks.look()
            let bad: JSON = ["type": "track", "userId": "u"]
            try await client.batch([bad] + (0..<3).map { Events.track(messageId: "m-\($0)") })
            _ = try await client.events()
            minutes(1)
            await looks.look()
            #expect(
                try await workspace.store.alert("r").state.waiting.map(\.text)
                    == ["alert r: 1 of 4 events of the last 10 minutes were rejected"])
        }
    }

    @Test("A rule about losses fires when enough devices with one version of the app tell of them")
    func loss() async throws {
        try await run { workspace in
            let client = workspace.client
            try await put(
                client, "r",
                [
                    "kind": "loss", "writeKey": "WK", "percent": 5, "minutes": 60, "atLeast": 3, "to": "slack",
                    "url": "http://127.0.0.1:1/",
                ])
            var looks = try looks(workspace.store)
            func report(_ device: Int, app: String, dropped: Int) async throws {
                let report: JSON = [
                    "writeKey": "WK", "instanceId": .string("\(app) \(device)"), "number": 1,
                    "app": ["version": .string(app)],
                    "delivery": ["tracked": 100, "uploaded": .number(100 - dropped)],
                    "account": ["events": [["name": "E", "events": 100, "plugins": ["Fix": .number(dropped)]]]],
                ]
                #expect(try await client.post("/v1/health-reports", report).status == 200)
            }
            for device in 0..<3 { try await report(device, app: "4.1", dropped: 1) }
            for device in 0..<2 { try await report(device, app: "4.2", dropped: 30) }
            await looks.look()
            #expect(try await workspace.store.alert("r").state.phase == .quiet)
            try await report(2, app: "4.2", dropped: 30)
            minutes(1)
            await looks.look()
            #expect(
                try await workspace.store.alert("r").state.waiting.map(\.text)
                    == ["alert r: app 4.2 lost 90 of 300 events of which 3 devices told in the last 60 minutes"])
            try await put(
                client, "short",
                ["kind": "loss", "writeKey": "WK", "minutes": 59, "to": "slack", "url": "http://127.0.0.1:1/"],
                status: 400)
        }
    }

    @Test("A rule about the plan counts the events that differ of the last minutes, of all names or of a planned one")
    func plan() async throws {
        try await run { workspace in
            let client = workspace.client
            let plan = #"{"events":[{"type":"track","name":"Paid","properties":[{"key":"receipt","required":true}]}]}"#
            #expect(try await client.put("/api/sources/WK/plan", plan).status == 200)
            func rule(_ event: String?) -> JSON {
                .object(withoutNulls: [
                    "kind": "plan", "writeKey": "WK", "event": .string(event), "minutes": 10, "atLeast": 2,
                    "to": "slack", "url": "http://127.0.0.1:1/",
                ])
            }
            try await put(client, "all", rule(nil))
            try await put(client, "paid", rule("Paid"))
            try await put(client, "other", rule("Other"), status: 409)
            var looks = try looks(workspace.store)
            await looks.look()
            try await client.batch([
                Events.track(messageId: "1", name: "Paid"), Events.track(messageId: "2", name: "Odd"),
            ])
            _ = try await client.events()
            minutes(1)
            await looks.look()
            #expect(
                try await workspace.store.alert("all").state.waiting.map(\.text)
                    == ["alert all: 2 events of the last 10 minutes differed from the tracking plan"])
            #expect(try await workspace.store.alert("paid").state.count == 0)
            try await client.batch([Events.track(messageId: "3", name: "Paid")])
            _ = try await client.events()
            minutes(1)
            await looks.look()
            #expect(
                try await workspace.store.alert("paid").state.waiting.map(\.text)
                    == ["alert paid: 2 events Paid of the last 10 minutes differed from the tracking plan"])
            // It is over five minutes after the events have left the window.
            for _ in 0..<20 {
                minutes(1)
                await looks.look()
            }
            #expect(try await workspace.store.alert("all").state.waiting.last?.occasion == .over)
        }
    }

    @Test("A chat gets a message about dead letters, and one when they were discarded")
    func deadLetters() async throws {
        let receiver = Receiver { delivery, _ in .init(status: delivery.path == "/in" ? 400 : 200) }
        try await receiver.run { url in
            try await run { workspace in
                let client = workspace.client
                let path = "/api/sources/WK/destinations/Hook"
                let hook = #"{"kind":"webhook","settings":{"url":"\#(url)/in"}}"#
                #expect(try await client.put(path, hook).status == 201)
                try await put(
                    client, "r",
                    [
                        "kind": "deadLetters", "writeKey": "WK", "destination": "Hook", "to": "slack",
                        "url": .string(url + "/chat"),
                    ])
                try await client.batch([Events.track(messageId: "m")])
                _ = try await workspace.until(path) { $0["deadLetters"] == 1 }
                try await lookAndSend(workspace.store)
                #expect(try await client.send("DELETE", path + "/dead-letters", body: nil).status == 200)
                try await lookAndSend(workspace.store)
                #expect(try await state(client, "r")["clearSince"]?.isNull == false)
                minutes(6)
                try await lookAndSend(workspace.store)
            }
        }
        let messages = receiver.accepted
        #expect(messages.allSatisfy { $0.path == "/chat" })
        #expect(
            messages.map(\.event) == [
                ["text": "alert r: Hook has 1 dead letter"],
                ["text": "alert r is over after 6 minutes: Hook has 0 dead letters"],
            ])
    }

    @Test("A message that is not accepted is shown, and sent again later, also after a restart")
    func again() async throws {
        let receiver = Receiver { _, before in .init(status: before == 0 ? 302 : 200, headers: ["Location": "/other"]) }
        let folder = try TemporaryFolder()
        try await receiver.run { url in
            try await run(in: folder) { workspace in
                try await put(
                    workspace.client, "r", ["kind": "disk", "percent": 99, "to": "webhook", "url": .string(url + "/a")])
                for _ in 0..<3 { try await lookAndSend(workspace.store) }
                let rule = try await state(workspace.client, "r")
                #expect(rule["problem"]?.stringValue?.hasPrefix("302") == true)
                #expect(rule["waiting"] == 1)
                #expect(rule["tries"] == 1)
                #expect(rule["url"]?.stringValue == url + "/…")
            }
            minutes(1)
            try await run(in: folder) { _ in
                let message = try #require(await receiver.accepts(1).first)
                #expect(message.path == "/a")
                #expect(message.event["state"] == "firing")
            }
        }
        #expect(receiver.deliveries.map(\.path) == ["/a", "/a"])
    }

    @Test("The server looks at its rules by itself and sends a message once")
    func loop() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await run(pause: .milliseconds(10)) { workspace in
                try await put(
                    workspace.client, "r", ["kind": "disk", "percent": 99, "to": "webhook", "url": .string(url + "/a")])
                #expect(await receiver.accepts(1).first?.event["state"] == "firing")
            }
        }
        #expect(receiver.deliveries.count == 1)
    }

    @Test("The answer to a message of a changed rule takes no later message for sent")
    func numbers() async throws {
        try await run { workspace in
            let disk: JSON = ["kind": "disk", "percent": 99, "to": "webhook", "url": "http://127.0.0.1:1/"]
            try await put(workspace.client, "r", Self.silence("http://127.0.0.1:1/"))
            try await workspace.store.look(
                .bad("first"), at: workspace.store.alert("r").rule, now: clock.now)
            let first = try #require(try await workspace.store.alert("r").state.waiting.first)
            try await put(workspace.client, "r", disk, status: 200)
            let rule = try await workspace.store.alert("r").rule
            try await workspace.store.look(.bad("second"), at: rule, now: clock.now)
            try await workspace.store.sentAlert(first.number, of: rule, problem: nil, now: clock.now)
            #expect(try await workspace.store.alert("r").state.waiting.map(\.text) == ["alert r: second"])
        }
    }

    @Test("A rule without a url goes to the address for operators; without one the rule is refused")
    func notices() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await run(noticeURL: url + "/chat") { workspace in
                let client = workspace.client
                try await put(client, "r", ["kind": "disk", "percent": 99])
                let answer = try await client.send("POST", "/api/alerts/r/test", body: nil).json
                #expect(answer["accepted"] == true)
                #expect(answer["answer"] == "200 OK")
                var looks = try looks(workspace.store)
                for _ in 0..<3 { await looks.look() }
                let messages = await receiver.accepts(2)
                #expect(messages.map { $0.event["state"] } == ["test", "firing"])
                #expect(messages.allSatisfy { $0.path == "/chat" })
            }
        }
        try await run { workspace in
            try await put(workspace.client, "r", ["kind": "disk"], status: 409)
        }
    }

    @Test("A receiver that never answers ends with a reason, and one that redirects is not followed")
    func hostileReceivers() async throws {
        let receiver = Receiver { delivery, _ in
            delivery.path == "/hang" ? .init(hangs: true) : .init(status: 307, headers: ["Location": "/other"])
        }
        try await receiver.run { url in
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: AlertDelivery.configuration)
            let hung = await AlertDelivery.send(
                [:], to: try ServiceAddress(url + "/hang"), by: client, within: .milliseconds(200))
            #expect(hung == .init(isAccepted: false, text: "no answer: it took too long"))
            let moved = await AlertDelivery.send([:], to: try ServiceAddress(url + "/moved"), by: client)
            #expect(moved.text.contains("redirects are not followed"))
            try await client.shutdown()
        }
        #expect(receiver.deliveries.map(\.path) == ["/hang", "/moved"])
    }

    @Test("A workspace has at most 100 rules, and a rule can be replaced and removed then")
    func limit() async throws {
        try await run { workspace in
            let client = workspace.client
            for number in 0..<100 { try await put(client, "r-\(number)", Self.silence("http://127.0.0.1:1/")) }
            try await put(client, "more", Self.silence("http://127.0.0.1:1/"), status: 409)
            try await put(client, "r-7", Self.silence("http://127.0.0.1:1/"), status: 200)
            #expect(try await client.send("DELETE", "/api/alerts/r-7", body: nil).status == 200)
            try await put(client, "more", Self.silence("http://127.0.0.1:1/"))
            try await put(client, "a%E2%80%AEb", Self.silence("http://127.0.0.1:1/"), status: 400)
        }
    }

    @Test("The audit log names rules without their addresses, and who may only look cannot change them")
    func rights() async throws {
        try await run { workspace in
            let client = workspace.client
            try await put(client, "r", Self.silence("http://127.0.0.1:1/SECRET"))
            let audit = try await client.get("/api/audit").text
            #expect(audit.contains("alert rule set"))
            #expect(!audit.contains("SECRET"))
            #expect(try await !client.get("/api/alerts").text.contains("SECRET"))
            let token = try await client.post("/api/tokens", ["name": "l", "role": "deploy"]).json["token"]?.stringValue
            var looking = client
            looking.token = token
            #expect(try await looking.get("/api/alerts").status == 200)
            try await put(looking, "r", Self.silence, status: 403)
            for (method, path) in [("DELETE", "/api/alerts/r"), ("POST", "/api/alerts/r/test")] {
                #expect(try await looking.send(method, path, body: nil).status == 403)
            }
        }
    }

    @Test("An alert about a source that was removed ends")
    func removedSource() async throws {
        try await run { workspace in
            let client = workspace.client
            #expect(try await client.put("/api/sources/GONE", "").status == 201)
            var rule = Self.silence("http://127.0.0.1:1/")
            rule["writeKey"] = "GONE"
            try await put(client, "r", rule)
            var looks = try looks(workspace.store)
            await looks.look()
            minutes(31)
            await looks.look()
            #expect(try await workspace.store.alert("r").state.count == 1)
            #expect(try await client.send("DELETE", "/api/sources/GONE", body: nil).status == 200)
            var after = try self.looks(workspace.store)
            for _ in 0..<7 {
                await after.look()
                minutes(1)
            }
            #expect(try await workspace.store.alert("r").state.phase == .quiet)
        }
    }
}
