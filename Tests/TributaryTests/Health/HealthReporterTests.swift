import Foundation
import TestSupport
import Testing
import TributaryJSON

@testable import Tributary

@Suite("Health reports of a client", .timeLimit(.minutes(30))) struct HealthReporterTests {
    static let settings: JSON = ["integrations": [:], "healthReports": ["sampleRate": 1]]

    /// A client that has looked for settings, so that its ten minutes have begun, and has tracked so many events.
    private func client(
        _ settings: JSON = Self.settings, events: Int = 60, folder: URL? = nil,
        configure: (Configuration) -> Void = { _ in }
    ) async -> Client {
        let client = Client(folder: folder, settings: settings, configure: configure)
        await client.track(events)
        await client.looked(after: 0)
        return client
    }

    @Test("A client reports its delivery after ten minutes, and reports no content of events")
    func report() async {
        let client = await client()
        await client.looked(after: 300)
        #expect(client.server.healthReports.isEmpty)
        await client.looked(after: 300)
        #expect(client.server.healthReports.count == 1)
        let report = client.server.healthReports.first
        #expect(report?["writeKey"] == "KEY")
        #expect(report?["number"] == 1)
        #expect(report?["seconds"] == 600)
        #expect(report?["delivery"]?["tracked"] == 60)
        #expect(report?["instanceId"] == client.server.events.first?["context"]?["instanceId"])
        let text = report?.description ?? ""
        #expect(!text.contains("secret"))
        #expect(!text.contains(client.analytics.anonymousId))
        #expect(!text.contains("u-1"))
    }

    @Test("A client reports at once that it heard of a stop, once, also when nothing was counted")
    func stop() async {
        let client = Client(settings: Self.settings) { $0.settingsInterval(120) }
        client.begin()
        await client.looked(after: 0)
        #expect(client.server.healthReports.isEmpty)
        var stopped = Self.settings
        (stopped["stopNumber"], stopped["settingsInterval"]) = (7, 60)
        client.server.answerSettings(stopped)
        await client.looked(after: 1)
        #expect(client.server.healthReports.map { $0["settings"] } == [["stop": 7, "interval": 60]])
        await client.looked(after: 1)
        #expect(client.server.healthReports.count == 1)
        stopped["stopNumber"] = 8
        client.server.answerSettings(stopped)
        await client.looked(after: 1)
        #expect(client.server.healthReports.map { $0["settings"]?["stop"] } == [7, 8])
    }

    @Test("A report says how often the client looks for settings")
    func interval() async {
        let client = await client { $0.settingsInterval(120) }
        await client.looked(after: 601)
        #expect(client.server.healthReports.first?["settings"] == ["stop": 0, "interval": 120])
    }

    @Test("A client reports once a day when its settings ask for that, and soon again when the settings change")
    func rhythm() async {
        let client = await client(["integrations": [:], "healthReports": ["sampleRate": 1, "minimumSeconds": 86_400]])
        for _ in 0..<47 { await client.looked(after: 1800) }
        #expect(client.server.healthReports.isEmpty)
        await client.looked(after: 1800)
        #expect(client.server.healthReports.map { $0["seconds"] } == [86_400])
        await client.track(60)
        await client.looked(after: 601)
        #expect(client.server.healthReports.count == 1)
        client.server.answerSettings(Self.settings)
        await client.looked(after: 1)
        #expect(client.server.healthReports.map { $0["seconds"] } == [86_400, 602])
    }

    @Test("A server whose settings do not ask for reports gets no reports")
    func notAsked() async {
        let client = await client(["integrations": [:]])
        await client.looked(after: 601)
        #expect(client.server.healthReports.isEmpty)
    }

    @Test("An app can switch reports off")
    func off() async {
        let client = await client { $0.healthReports(false) }
        await client.looked(after: 601)
        #expect(client.server.healthReports.isEmpty)
    }

    @Test("The server's settings choose a share of the clients", arguments: [(0.2, 1), (0.4, 0)])
    func sampled(chance: Double, reports: Int) async {
        let client = await client(["integrations": [:], "healthReports": ["sampleRate": 0.3]]) { configuration in
            configuration.identifiers(Identifiers(random: { chance }))
        }
        await client.looked(after: 601)
        #expect(client.server.healthReports.count == reports)
    }

    @Test("A report without an answer is sent again unchanged, and the next report has other counts")
    func again() async {
        let client = await client()
        client.server.answerHealthReports(503)
        await client.looked(after: 601)
        client.server.answerHealthReports(200)
        await client.track(60)
        await client.looked(after: 601)
        await client.looked(after: 601)
        let reports = client.server.healthReports
        // On a busy machine the client may look twice before the server answers differently.
        let first = reports.prefix { $0["number"] == 1 }
        #expect(first.count >= 2)
        #expect(first.allSatisfy { $0 == reports.first })
        #expect(reports.dropFirst(first.count).map { $0["number"] } == [2])
        #expect(reports.map { $0["delivery"]?["tracked"] }.allSatisfy { $0 == 60 })
    }

    @Test("A server that does not know reports is asked again after a week, also by the next launch")
    func unknown() async throws {
        let folder = try TemporaryFolder()
        let first = await client(folder: folder.url)
        first.server.answerHealthReports(404)
        await first.looked(after: 601)
        #expect(first.server.healthReports.count == 1)
        await first.ended()
        let time = ManualTime(later: 86_400)
        let second = Client(time: time, folder: folder.url, settings: Self.settings)
        await second.track(60)
        await second.looked(after: 601)
        #expect(second.server.healthReports.isEmpty)
        await second.looked(after: 7 * 86_400)
        #expect(second.server.healthReports.count == 1)
    }

    @Test("Counts that were not reported are kept for the next launch")
    func kept() async throws {
        let folder = try TemporaryFolder()
        let first = await client(events: 40, folder: folder.url)
        await first.ended()
        #expect(first.server.healthReports.isEmpty)
        let second = Client(time: ManualTime(later: 700), folder: folder.url, settings: Self.settings)
        await second.track(25)
        await second.looked(after: 0)
        #expect(second.server.healthReports.map { $0["delivery"]?["tracked"] } == [65])
    }

    @Test("No report is sent before consent, and a refusal deletes the counts")
    func consent() async throws {
        let folder = try TemporaryFolder()
        let client = await client(folder: folder.url) { $0.consent(.pending) }
        await client.looked(after: 601)
        #expect(client.server.healthReports.isEmpty)
        await withCheckedContinuation { done in client.analytics.setConsent(.granted) { done.resume() } }
        await client.track(10)
        await client.looked(after: 1)
        let file = try #require(client.analytics.storageFolder?.appendingPathComponent("health-0.json"))
        #expect(FileManager.default.fileExists(atPath: file.path))
        await withCheckedContinuation { done in client.analytics.setConsent(.denied) { done.resume() } }
        await client.looked(after: 601)
        #expect(client.server.healthReports.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("While events must not be sent, no report is sent either")
    func conditions() async {
        let conditions = ClosedNetwork()
        let client = await client { $0.uploadConditions(conditions) }
        await client.looked(after: 601)
        #expect(client.server.healthReports.isEmpty)
        conditions.open()
        await client.looked(after: 1)
        #expect(client.server.healthReports.count == 1)
    }
}

/// A network that must not be used until it is opened.
private final class ClosedNetwork: UploadConditions {
    private let isOpen = LockBox(false)
    private let observers = LockBox<[@Sendable () -> Void]>([])

    var obstacle: UploadObstacle? { isOpen.withLock { $0 } ? nil : UploadObstacle("there is no network") }

    func observe(_ changed: @escaping @Sendable () -> Void) { observers.withLock { $0.append(changed) } }

    func open() {
        isOpen.withLock { $0 = true }
        for observer in observers.withLock({ $0 }) { observer() }
    }
}
