import TestSupport
import Testing
import Tributary

private struct Options: Codable {
    let apiKey: String
}

@Suite("Settings with a comma behind the last member")
struct SettingsWithCommaSnippet {
    @Test("Settings with a surplus comma are accepted, as Foundation accepts them")
    func taken() async {
        let server = TestServer()
        let text = #"{"integrations": {"Own": {"apiKey": "k-1",}, "Segment.io": {},}}"#
        server.answerSettings(.success(TransportResponse(status: 200, body: [UInt8](text.utf8))))
        let client = Client(server: server)
        let destination = TestDestination("Own")
        client.analytics.add(plugin: destination)
        client.analytics.track(name: "A")
        await client.processed()
        let options: Options? = client.analytics.settings()?.integrationSettings(forKey: "Own")
        #expect(options?.apiKey == "k-1")
        #expect(destination.received.count == 1)
    }
}
