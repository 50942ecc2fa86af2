import Foundation
import GzipReading
import Testing
import TributaryJSON

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Destinations and consent with a real server", .timeLimit(.minutes(30))) struct ConsentForwardingTests {
    private static let sources = "/api/sources/WK"
    private static let path = "\(sources)/destinations/Ads"
    private static let categories = ["advertising", "analytics", "functional", "personalization"]

    private let clock = TestClock()
    private var environment: WorkspaceEnvironment {
        var environment = WorkspaceEnvironment.testing
        environment.now = { [clock] in clock.now }
        return environment
    }

    private static func event(_ id: String, _ consent: JSON? = nil, user: String = "u") -> JSON {
        var event = Events.track(messageId: id, userId: user)
        if let consent { event["context"] = ["consent": ["categoryPreferences": consent]] }
        return event
    }

    private static func make(
        _ client: TestClient, _ name: String, _ kind: String, _ settings: JSON, _ categories: [String],
        from: String = "start"
    ) async throws {
        var body: JSON = [
            "kind": .string(kind), "settings": settings, "categories": .strings(categories), "from": .string(from),
        ]
        if kind == "s3" { body["secret"] = "SK" }
        let answer = try await client.put("\(sources)/destinations/\(name)", body.description)
        #expect(answer.status == 201, "\(answer.text)")
    }

    /// Asks for a destination until the condition holds; the time limit of the suite ends an endless wait.
    @discardableResult
    private static func until(
        _ client: TestClient, _ name: String = "Ads", _ holds: (JSON) -> Bool
    ) async throws -> JSON {
        while true {
            let destination = try await client.get("\(sources)/destinations/\(name)").json
            if holds(destination) { return destination }
        }
    }

    /// The message ids in the files of all destinations.
    private static func ids(below folder: String) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return try names.filter { $0.contains(".ndjson") }.flatMap { name in
            var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            if name.hasSuffix(".gz") { bytes = try Gunzip.inflate(bytes, limit: 1 << 24) }
            return try lines(bytes)
        }
    }

    private static func lines(_ bytes: [UInt8]) throws -> [String] {
        try String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .compactMap { try JSON.parse(String($0))["messageId"]?.stringValue }
    }

    @Test("Of 1,000 events that refuse one of four categories, none leaves to three destinations of each kind")
    func refused() async throws {
        let (receiver, files) = (Receiver(), try TemporaryFolder())
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment, filesFolder: files.path) { workspace async throws in
                let client = workspace.client
                for part in 0..<4 {
                    try await client.batch(
                        (0..<250).map { index in
                            let refused = Self.categories[index % 4]
                            var consent: JSON = [:]
                            for name in Self.categories { consent[name] = .bool(name != refused) }
                            return Self.event("r-\(part)-\(index)", consent, user: "u-\(index % 7)")
                        })
                }
                var allowed: JSON = [:]
                for name in Self.categories { allowed[name] = true }
                try await client.batch([Self.event("allowed", allowed)])
                #expect(try await client.get("/api/stats").json["stored"] == 1_001)
                var names: [String] = []
                for number in 0..<3 {
                    try await Self.make(
                        client, "Hook\(number)", "webhook", ["url": .string(url + "/hook")], Self.categories)
                    try await Self.make(client, "Files\(number)", "files", [:], Self.categories)
                    let store: JSON = ["endpoint": .string(url), "bucket": "events", "accessKey": "AK"]
                    try await Self.make(client, "Lake\(number)", "s3", store, Self.categories)
                    names += ["Hook\(number)", "Files\(number)", "Lake\(number)"]
                }
                for name in names where name.hasPrefix("Lake") {
                    try await Self.until(client, name) { $0["waiting"] == 1_001 }
                }
                clock.advance(by: 3_600_000 + Limits.fileGraceMilliseconds)
                for name in names {
                    let done = try await Self.until(client, name) { $0["caughtUp"] == true && $0["delivered"] == 1 }
                    #expect(done["withheld"] == 1_000, "\(name)")
                    #expect(done["skipped"] == 0, "\(name)")
                }
                let list = try await client.get("\(Self.sources)/destinations").json["destinations"]?.elements ?? []
                #expect(list.count == 9 && list.allSatisfy { $0["categories"]?.elements?.count == 4 })
            }
        }
        let hooks = receiver.deliveries.filter { $0.path == "/hook" }
        #expect(hooks.map(\.id) == ["allowed", "allowed", "allowed"])
        let objects = try receiver.deliveries.filter { $0.path.hasPrefix("/events/") }
            .flatMap { try Self.lines(try Gunzip.inflate($0.body, limit: 1 << 24)) }
        #expect(objects == ["allowed", "allowed", "allowed"])
        #expect(try Self.ids(below: files.path) == ["allowed", "allowed", "allowed"])
    }

    @Test("A category that is set while an event waits holds it back, too")
    func waiting() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment) { workspace async throws in
                let client = workspace.client
                try await Self.make(client, "Ads", "webhook", ["url": "http://127.0.0.1:9/in"], [])
                try await client.batch([
                    Self.event("m-1", ["ad": false]), Self.event("m-2", ["ad": true], user: "other"),
                ])
                try await Self.until(client) { $0["retrying"] != 0 }
                let change: JSON = ["settings": ["url": .string(url + "/in")], "categories": ["ad"]]
                #expect(try await client.put(Self.path, change.description).status == 200)
                clock.advance(by: 3_600_000)
                try await Self.until(client) { $0["withheld"] == 1 && $0["delivered"] == 1 && $0["retrying"] == 0 }
            }
        }
        #expect(receiver.deliveries.map(\.id) == ["m-2"])
    }

    @Test("Events that say nothing are held and released, or dropped, as the policy of the source says")
    func unsaid() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run(environment: environment) { workspace async throws in
                let client = workspace.client
                func policy(_ rule: String) async throws {
                    let answer = try await client.put("\(Self.sources)/policy", #"{"consent":{"unsaid":"\#(rule)"}}"#)
                    #expect(answer.status == 200, "\(answer.text)")
                }
                try await policy("hold")
                try await Self.make(client, "Ads", "webhook", ["url": .string(url + "/in")], ["ad"])
                try await client.batch(
                    (0..<5).map { Self.event("held-\($0)", user: "u-\($0)") } + [
                        Self.event("refused", ["ad": false]), Self.event("allowed", ["ad": true]),
                    ])
                let held = try await Self.until(client) { $0["held"] == 5 && $0["delivered"] == 1 }
                #expect(held["withheld"] == 1)
                #expect(try await client.post(Self.path + "/held/release", [:]).status == 409, "the policy still holds")
                try await policy("drop")
                try await client.batch([Self.event("dropped")])
                try await Self.until(client) { $0["withheld"] == 2 }
                try await policy("forward")
                let released = try await client.post(Self.path + "/held/release", [:])
                #expect(try released.json == ["released": 5, "more": false])
                try await Self.until(client) { $0["delivered"] == 6 && $0["held"] == 0 }
                #expect(try await client.post(Self.path + "/held/release", [:]).json["released"] == 0)
                #expect(try await client.get("/api/audit").text.contains("held events released"))
            }
        }
        #expect(!receiver.deliveries.map(\.id).contains("refused"))
        #expect(Set(receiver.deliveries.map(\.id)) == Set(["allowed"] + (0..<5).map { "held-\($0)" }))
    }

    @Test("The test event says that its user allows what the destination needs")
    func testEvent() async throws {
        let receiver = Receiver()
        try await receiver.run { url in
            try await TestWorkspace.run { workspace in
                try await Self.make(workspace.client, "Ads", "webhook", ["url": .string(url + "/in")], ["ad", "tcf.4"])
                #expect(try await workspace.client.post(Self.path + "/test", [:]).json["accepted"] == true)
                let event = try #require(receiver.deliveries.first).event
                #expect(event["context"]?["consent"] == ["categoryPreferences": ["ad": true, "tcf.4": true]])
            }
        }
    }

    @Test("Settings for clients name the categories of all destinations")
    func settings() async throws {
        try await TestWorkspace.run { workspace in
            let client = workspace.client
            func settings() async throws -> JSON { try await client.get("/v1/projects/WK/settings").json }
            #expect(try await settings()["consentSettings"] == [:])
            let integrations: JSON = ["Ads": ["key": "1"], "Own": ["consentSettings": ["categories": ["own"]]]]
            #expect(try await client.put("\(Self.sources)/integrations", integrations.description).status == 200)
            try await Self.make(client, "Ads", "webhook", ["url": "http://127.0.0.1:9/"], ["ad"], from: "now")
            try await Self.make(client, "Lake", "webhook", ["url": "http://127.0.0.1:9/"], ["analytics"], from: "now")
            var document = try await settings()
            #expect(document["integrations"]?["Ads"] == ["key": "1", "consentSettings": ["categories": ["ad"]]])
            #expect(document["integrations"]?["Own"]?["consentSettings"] == ["categories": ["own"]])
            #expect(document["integrations"]?["Lake"] == nil, "a client would switch it on")
            #expect(
                document["consentSettings"]
                    == ["allCategories": ["ad", "analytics", "own"], "hasUnmappedDestinations": false])
            try await Self.make(client, "Free", "webhook", ["url": "http://127.0.0.1:9/"], [], from: "now")
            document = try await settings()
            #expect(document["consentSettings"]?["hasUnmappedDestinations"] == true)
            #expect(try await client.send("DELETE", Self.path, body: nil).status == 200)
            document = try await settings()
            #expect(document["consentSettings"]?["allCategories"] == ["analytics", "own"])
        }
    }

    @Test(
        "Categories and policies that cannot be used are refused",
        arguments: [
            #"{"categories":"ad"}"#, #"{"categories":[""]}"#, #"{"categories":[" "]}"#, #"{"categories":[1]}"#,
            #"{"categories":["a\nb"]}"#, #"{"categories":["\#(String(repeating: "x", count: 101))"]}"#,
            "{\"categories\":[\((0..<51).map { "\"c\($0)\"" }.joined(separator: ","))]}",
        ])
    func bad(_ body: String) async throws {
        try await TestWorkspace.run { workspace in
            try await Self.make(workspace.client, "Ads", "webhook", ["url": "http://127.0.0.1:9/"], ["ad"], from: "now")
            let answer = try await workspace.client.put(Self.path, body)
            #expect(answer.status == 400)
            #expect(answer.text.contains("categories are a list"))
            #expect(try await workspace.client.get(Self.path).json["categories"] == ["ad"])
            for policy in [#"{"consent":1}"#, #"{"consent":{"unsaid":"no"}}"#, #"{"consent":{"x":1}}"#] {
                #expect(try await workspace.client.put("\(Self.sources)/policy", policy).status == 400)
            }
        }
    }
}
