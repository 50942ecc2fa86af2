import Foundation
import Testing
import TributaryJSON

@testable import WorkspaceCluster
@testable import WorkspaceCore
@testable import WorkspaceServer

/// Programs and older servers read these texts, so neither names nor order change by accident.
@Suite("The text of stored values and of answers", .timeLimit(.minutes(30))) struct ReportTextTests {
    private static func text(_ lines: [JSON]) -> String { lines.map(\.description).joined(separator: "\n") }

    @Test("Values on disk and between nodes") func values() throws {
        var sums = HealthSums()
        sums.counts["events"] = 3
        sums.kinds["notLoaded"] = 1
        sums.count("Fix", HealthCounts(["seen": 3]))
        let fault = try #require(
            ReportedFault(["message": "no", "file": "a.js", "line": 4, "event": "E"], plugin: "P"))
        sums.count(fault)
        let health = DeviceHealth(
            events: 5, faulty: 1, dropped: 2, microseconds: 9,
            destinations: ["W": FilteredCounts(events: 4, dropped: 1)])
        var report = SourceReport(
            source: 1, device: 255, number: 2, isEarly: true, receivedAt: 7, sums: ["3": sums],
            health: [.filters: [3: health]])
        let plan = try RolloutPlan(["stages": [5, 100], "holdSeconds": 60])
        let record = RolloutRecord(source: 1, kind: .filters, version: 3, previous: 2, plan: plan, now: 7)
        report.stages = [.filters: RolloutStage(record)]
        var device = SampledDevice()
        device.add(health, report: 2, stage: 1, isEarly: true)
        let node = NodeReport(
            name: "n", id: "i", version: "1", owned: [2: 9, 1: 8], takeovers: 1, keys: [[1, 2]],
            received: DayCounts(day: 3, events: [2: 5, 1: 4]), resting: [6: DestinationRest(until: 8, reason: "r")])
        let retention = RetentionState(
            Retention(days: nil), shorter: .init(retention: Retention(days: 3), from: Day(number: 9)))
        let lines = [
            report.json, device.json, node.json, retention.json, plan.json, record.summary,
            record.notice("stopped", of: "WK"),
        ]
        #expect(
            Self.text(lines)
                == #"""
                {"source":1,"device":"ff","number":2,"at":7,"sums":{"3":{"counts":{"events":3},\#
                "kinds":{"notLoaded":1},"parts":[{"name":"Fix","seen":3}],"faults":[{"plugin":"P","message":"no",\#
                "file":"a.js","line":4,"event":"E","reports":1}]}},"isEarly":true,"health":{"filters":{"3":[5,1,2,9,0,\#
                {"W":[4,1]}]}},"stages":{"filters":[7,0,0]}}
                {"report":2,"health":[0,0,0,0,0],"early":[5,1,2,9,0,{"W":[4,1]}],"isInStage":false,"stage":1}
                {"name":"n","id":"i","version":"1","partitions":[1,2],"through":["8","9"],"takeovers":1,"repeated":0,\#
                "alarms":0,"isOutdated":false,"keys":[[1,2]],"received":{"day":3,"events":{"1":4,"2":5}},\#
                "resting":[{"destination":"6","until":8,"reason":"r"}]}
                {"days":0,"shorter":3,"from":9}
                {"stages":[5,100],"holdSeconds":60,"minimumDevices":20,"minimumEvents":1000,"maximumFaultRate":0.005,\#
                "maximumDropChange":0.02,"maximumTimeChange":1}
                {"kind":"filters","version":3,"previous":2,"state":"running","reason":"it has begun","stage":1,\#
                "percentage":5,"heldSeconds":0,"startedAt":"1970-01-01T00:00:00.007Z","plan":{"stages":[5,100],\#
                "holdSeconds":60,"minimumDevices":20,"minimumEvents":1000,"maximumFaultRate":0.005,\#
                "maximumDropChange":0.02,"maximumTimeChange":1},"isShadow":false,"announced":[]}
                {"text":"filters version 3 of WK stopped: it has begun","writeKey":"WK","kind":"filters","version":3,\#
                "state":"running","percentage":5,"reason":"it has begun"}
                """#)
    }

    @Test("The list of files of a backup, and the request to try a bundle") func files() throws {
        let folder = try TemporaryFolder()
        try Data("abc".utf8).write(to: URL(fileURLWithPath: folder.path + "/x"))
        var manifest = try BackupManifest(of: folder.path)
        manifest.days = ["2025-01-02": "r", "2025-01-01": "q"]
        _ = try manifest.write(to: folder.path, at: Date(timeIntervalSince1970: 0))
        let knowledge = PluginTrialKnowledge(destinations: ["d"], events: ["track": ["A": 1]])
        let trial = PluginTrialRequest(source: "s", sample: .events([[:]]), known: knowledge)
        let file = try #require(FileManager.default.contents(atPath: folder.path + "/backup.json"))
        #expect(
            try Self.text([JSON.parse([UInt8](file)), trial.json])
                == #"""
                {"version":1,"madeAt":"1970-01-01T00:00:00.000Z","files":[{"path":"x","bytes":3,\#
                "sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}],\#
                "days":{"2025-01-01":"q","2025-01-02":"r"}}
                {"source":"s","events":[{}],"known":{"destinations":["d"],"events":{"track":{"A":1}}}}
                """#)
    }

    @Test("Values of the settings") func settings() throws {
        var policy = SourcePolicy.none
        policy.quota.eventsPerDay = 5
        policy.signals = try SignalSwitches([
            "sources": ["uiKit": ["enabled": false, "sampleRate": 0.5], "network": [:]]
        ])
        let webhook: JSONObject = ["url": "https://h.example", "batchEvents": 3, "headers": ["B": "2", "A": "1"]]
        let s3: JSONObject = ["endpoint": "https://s.example", "bucket": "bbb", "accessKey": "k"]
        let token = NamedToken(name: "t", role: .look, digest: Data(), createdAt: 7)
        let lines = [
            policy.json, try TrackingPlan(JSON.parse(PlanTests.plan)).json, .object(try WebhookSettings(webhook).json),
            .object(try S3Settings(s3).json), token.summary([:], now: 7),
        ]
        #expect(
            Self.text(lines)
                == #"""
                {"quota":{"eventsPerDay":5,"requestsPerSecond":null},"ip":"asSent","country":"auto","signals":{"disableTraffic":false,\#
                "sampleRate":1,"sources":{"network":{"enabled":true},"uiKit":{"enabled":false,"sampleRate":0.5}}},\#
                "healthReports":{"sampleRate":1},"consent":{"unsaid":"forward","gpcRefuses":["advertising"]},\#
                "personal":[],"timeZone":"UTC"}
                {"events":[{"type":"track","properties":[{"key":"total","type":"number","required":true},\#
                {"key":"coupon","type":"string"},{"key":"gift","required":true}],"name":"Order Completed",\#
                "description":"paid"},{"type":"track","properties":[],"name":"Debug","blocked":true},\#
                {"type":"identify","properties":[{"key":"plan"}]}],"unplanned":"allow"}
                {"url":"https://h.example","timeoutSeconds":15,"parallelRequests":8,"batchEvents":3,\#
                "headers":{"A":"1","B":"2"}}
                {"endpoint":"https://s.example","bucket":"bbb","prefix":"","region":"us-east-1","accessKey":"k",\#
                "pathStyle":true,"format":"ndjson"}
                {"name":"t","role":"look","sources":null,"personalData":"shown","createdAt":"1970-01-01T00:00:00.007Z",\#
                "endsAt":null,"hasEnded":false,"usedAt":null}
                """#)
    }

    @Test("Figures and states") func figures() throws {
        var statistics = Statistics(stored: 4, byType: ["track": 4, "page": 1])
        let empty = statistics.json
        statistics.latencies = [3, 5, 8]
        let cover = HealthCover(since: 7)
        let suppression = Suppression(
            digest: Data([1]), kind: .user, mark: .init(isSuppressed: true), reason: "r", administrator: "a", at: 7)
        let order = TraceOrder(subject: try TraceSubject(userId: "u", anonymousId: nil), until: 9000)
        let check = EngineCheck([CheckFinding(.log, "p", "s", found: "f", .wrong, advice: "a")])
        let upgrade = UpgradeCheck([.init(name: "days", formats: [3, 2], readable: 2...4)])
        let intake = IntakeState(status: .logFails, waitingRequests: 2, waitingBytes: 3)
        let lines = [
            empty, statistics.json, cover.json, .object(suppression.json), order.summary, order.answer(at: 1),
            check.json, upgrade.json, .object(intake.json), .object(Erased(events: 2, rejected: 1).json),
            ErasureProgress(days: 2, daysDone: 1, erased: Erased(events: 3)).json,
        ]
        #expect(
            Self.text(lines)
                == #"""
                {"stored":4,"duplicates":0,"rejected":0,"tracedDrops":0,"byType":{"page":1,"track":4},\#
                "latency":{"count":0,"medianMs":null,"p99Ms":null}}
                {"stored":4,"duplicates":0,"rejected":0,"tracedDrops":0,"byType":{"page":1,"track":4},\#
                "latency":{"count":3,"medianMs":5,"p99Ms":8}}
                {"since":"1970-01-01T00:00:00.007Z","isCurrent":true}
                {"digest":"01","kind":"user","suppressed":true,"erasedThrough":null,"reason":"r","by":"a",\#
                "at":"1970-01-01T00:00:00.007Z"}
                {"userId":"u","until":"1970-01-01T00:00:09.000Z"}
                {"userId":"u","seconds":9}
                {"fine":false,"findings":[{"engine":"NATS","place":"p","setting":"s","found":"f","verdict":"wrong",\#
                "advice":"a"}]}
                {"readable":true,"changesFormat":true,"refusals":[],"parts":[{"name":"days","formats":[2,3],\#
                "oldestRead":2,"written":4}]}
                {"status":"log fails","waitingRequests":2,"waitingBytes":3}
                {"events":2,"rejected":1,"traces":0,"signals":0}
                {"days":2,"daysDone":1,"eventsDone":3}
                """#)
    }

    @Test("Answers of the administration") func answers() async throws {
        // Roll-outs stay as they begin.
        try await TestWorkspace.run(rolloutPause: .seconds(3600)) { workspace async throws in
            let client = workspace.client
            try await client.batch([
                Events.track(messageId: "m-1"), ["type": "page", "messageId": "m-2", "userId": "u"],
            ])
            // Answers when the events are stored.
            _ = try await client.get("/api/stats")
            #expect(try await client.put("/api/sources/WK/plan", PlanTests.plan).status == 200)
            #expect(try await client.put("/api/sources/WK/live-plugins?unchecked=true", "let a = 1").status == 200)
            let filters = try await client.put("/api/sources/WK/filters?stages=5,100&unchecked=true", "[]")
            #expect(filters.status == 200, "\(filters.text)")
            let hook =
                #"{"kind": "webhook", "enabled": false, "settings": {"url": "http://127.0.0.1:1"}, "categories": ["ads"]}"#
            let made = try await client.put("/api/sources/WK/destinations/Hook", hook)
            #expect(made.status == 201, "\(made.text)")
            var lines: [JSON] = []
            for path in [
                "api/sources", "api/sources/WK/filters/versions", "api/sources/WK/live-plugins",
                "api/sources/WK/destinations", "api/live-plugins/health?writeKey=WK", "api/audit",
                "v1/projects/WK/settings",
            ] {
                let answer = try await client.get("/" + path)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                lines.append(try answer.json)
            }
            let text = Self.text(lines).replacing(/[0-9]{4}-[0-9-]+T[0-9:.]+Z/, with: "TIME")
            #expect(
                text.replacing(client.url, with: "URL")
                    == #"""
                    {"sources":[{"writeKey":"WK","name":"WK","createdAt":"TIME","updatedAt":"TIME","livePlugins":1,\#
                    "filters":0,"integrations":{},"keys":[{"key":"WK","name":"first","createdAt":"TIME",\#
                    "revokedAt":null}],"policy":{"quota":{"eventsPerDay":null,"requestsPerSecond":null},"ip":"asSent","country":"auto",\#
                    "signals":{"disableTraffic":false,"sampleRate":1},"healthReports":{"sampleRate":1},\#
                    "consent":{"unsaid":"forward","gpcRefuses":["advertising"]},"personal":[],\#
                    "timeZone":"UTC"},"plannedEvents":3}]}
                    {"current":1,"forAll":null,"versions":[{"version":1,"sha256":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12\#
                    ab4d8e11ba873c2f11161202b945","rules":0,"deployedAt":"TIME","percentage":5}]}
                    {"current":1,"forAll":1,"versions":[{"version":1,"sha256":"2c07d877ba5b1548307d0bbc6f8ab5df93de4c6\#
                    db3fbf7283c451809def87824","bytes":9,"deployedAt":"TIME","percentage":100,"signed":false,\#
                    "signature":null,"where":"device"}]}
                    {"destinations":[{"name":"Hook","kind":"webhook","enabled":false,\#
                    "settings":{"url":"http://127.0.0.1:1","timeoutSeconds":15,"parallelRequests":8},\#
                    "categories":["ads"],"createdAt":"TIME","updatedAt":"TIME","delivered":0,"skipped":0,"withheld":0,\#
                    "held":0,"retrying":0,"deadLetters":0,"waiting":0,"waitingSince":null,"heldBackBy":[],\#
                    "lastDeliveredAt":null,"rollout":null,"replay":null,"caughtUp":false,"state":"off","reason":null,"retryAt":null}]}
                    {"versions":[],"shadows":[],"filters":[],"delivery":{"lost":{}},"destinations":[],"rollout":null,\#
                    "filterRollout":{"kind":"filters","version":1,"previous":0,"state":"running",\#
                    "reason":"it has begun","stage":1,"percentage":5,"heldSeconds":0,"startedAt":"TIME",\#
                    "plan":{"stages":[5,100],"holdSeconds":1800,"minimumDevices":20,"minimumEvents":1000,\#
                    "maximumFaultRate":0.005,"maximumDropChange":0.02,"maximumTimeChange":1},"isShadow":false,"announced":[]},\#
                    "apps":{"devices":0,"others":0,\#
                    "silent":0,"versions":[]},"cover":{"since":null,\#
                    "isCurrent":true}}
                    {"entries":[{"sequence":6,"at":"TIME","by":"token","token":null,"action":"destination made",\#
                    "writeKey":"WK","details":{"destination":"Hook","enabled":false,"categories":["ads"]}},\#
                    {"sequence":5,"at":"TIME","by":"token","token":null,"action":"filters replaced","writeKey":"WK",\#
                    "details":{"version":1,"rules":0,"sha256":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f111\#
                    61202b945","percentage":5,"plan":{"stages":[5,100],"holdSeconds":1800,"minimumDevices":20,\#
                    "minimumEvents":1000,"maximumFaultRate":0.005,"maximumDropChange":0.02,"maximumTimeChange":1}}},\#
                    {"sequence":4,"at":"TIME","by":"token","token":null,"action":"live plugins deployed",\#
                    "writeKey":"WK","details":{"version":1,"sha256":"2c07d877ba5b1548307d0bbc6f8ab5df93de4c6db3fbf7283\#
                    c451809def87824","signed":false,"percentage":100,"where":"device"}},{"sequence":3,"at":"TIME","by":"token",\#
                    "token":null,"action":"tracking plan changed","writeKey":"WK","details":{"before":[],\#
                    "after":[{"type":"track","properties":[{"key":"total","type":"number","required":true},\#
                    {"key":"coupon","type":"string"},{"key":"gift","required":true}],"name":"Order Completed",\#
                    "description":"paid"},{"type":"track","properties":[],"name":"Debug","blocked":true},\#
                    {"type":"identify","properties":[{"key":"plan"}]}],"events":3,"unplanned":"allow"}},{"sequence":2,\#
                    "at":"TIME","by":"server","token":null,"action":"admin token replaced","writeKey":null,\#
                    "details":{}},{"sequence":1,"at":"TIME","by":"server","token":null,"action":"source made",\#
                    "writeKey":"WK","details":{}}],"next":null}
                    {"_lastModified":"TIME","integrations":{"Segment.io":{"apiKey":"WK","apiHost":"URL/v1",\#
                    "unbundledIntegrations":[],"addBundledMetadata":true,"maybeBundledConfigIds":{},\#
                    "versionSettings":{"version":"4.4.7","componentTypes":["browser"]}}},\#
                    "plan":{"track":{"Debug":{"enabled":false,"integrations":{}},"__default":{"enabled":true,\#
                    "integrations":{}}},"identify":{"__default":{"enabled":true}},\#
                    "group":{"__default":{"enabled":true}}},"edgeFunction":{"version":1,\#
                    "downloadURL":"URL/v1/projects/WK/live-plugins/1.js","sha256":"2c07d877ba5b1548307d0bbc6f8ab5df93d\#
                    e4c6db3fbf7283c451809def87824","log":{"size":1,"root":"a6ce0083ce25eb315e84ecd4d3a0004083384be4\#
                    d61b913296e8d9fe2b0e82bd",\#
                    "proof":[],"url":"URL/v1/projects/WK/live-plugins/log"}},"middlewareSettings":{"routingRules":[],"version":0,\#
                    "staged":{"routingRules":[],"version":1,"percentage":5}},"metrics":{"sampleRate":0},\#
                    "healthReports":{"sampleRate":1,"minimumSeconds":600},"autoInstrumentation":{"disableTraffic":fals\#
                    e,"sampleRate":1},"autoInstrumentationSettings":{"disableTraffic":false,"sampleRate":1},\#
                    "consentSettings":{"allCategories":["ads"],"hasUnmappedDestinations":false},\#
                    "analyticsNextEnabled":true,"enabledMiddleware":{},"legacyVideoPluginsEnabled":false,\#
                    "remotePlugins":[],"settingsInterval":60,"settingsPush":{"seconds":45}}
                    """#)
        }
    }
}
