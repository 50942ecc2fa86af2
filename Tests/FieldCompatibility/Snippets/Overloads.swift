import Foundation
import TestSupport
import Testing
import Tributary

private struct Song: Codable { var title = "Blue" }

/// Each call of the client in every form that the field has, with options besides.
@Suite("Calls with and without properties, options and closures")
struct OverloadsSnippet {
    private static let mark: EnrichmentClosure = { event in
        var event = event
        event?.context = ["marked": true]
        return event
    }

    private var options: EventOptions { EventOptions(messageId: UUID().uuidString) }

    private func all(_ analytics: Analytics) {
        let (mark, none) = ([Self.mark], [EnrichmentClosure]?.none)
        let (dictionary, song): ([String: Any]?, Song?) = (["title": "Blue"], Song())
        analytics.track(name: "T")
        analytics.track(name: "T", enrichments: mark)
        analytics.track(name: "T", enrichments: none)
        analytics.track(name: "T", options: options)
        analytics.track(name: "T", options: options, enrichments: mark)
        analytics.track(name: "T", properties: nil)
        analytics.track(name: "T", properties: ["title": "Blue"])
        analytics.track(name: "T", properties: dictionary)
        analytics.track(name: "T", properties: song)
        analytics.track(name: "T", properties: Song())
        analytics.track(name: "T", properties: dictionary, enrichments: mark)
        analytics.track(name: "T", properties: song, enrichments: mark)
        analytics.track(name: "T", properties: song, options: options, enrichments: mark)
        analytics.identify(userId: "u")
        analytics.identify(userId: "u", enrichments: mark)
        analytics.identify(userId: "u", options: options)
        analytics.identify(userId: "u", traits: dictionary)
        analytics.identify(userId: "u", traits: song, enrichments: mark)
        analytics.identify(userId: "u", traits: dictionary, options: options, enrichments: mark)
        analytics.identify(traits: Song())
        analytics.identify(traits: song, enrichments: mark)
        analytics.identify(traits: dictionary, options: options)
        analytics.screen(title: "S")
        analytics.screen(title: "S", category: "C")
        analytics.screen(title: "S", enrichments: mark)
        analytics.screen(title: "S", category: "C", enrichments: mark)
        analytics.screen(title: "S", options: options)
        analytics.screen(title: "S", properties: dictionary)
        analytics.screen(title: "S", category: "C", properties: song, enrichments: mark)
        analytics.page(title: "P")
        analytics.page(title: "P", enrichments: mark)
        analytics.page(title: "P", category: "C", properties: song, options: options)
        analytics.group(groupId: "g")
        analytics.group(groupId: "g", enrichments: mark)
        analytics.group(groupId: "g", options: options)
        analytics.group(groupId: "g", traits: dictionary)
        analytics.group(groupId: "g", traits: song, enrichments: mark)
        analytics.alias(newId: "n")
        analytics.alias(newId: "n", enrichments: mark)
        analytics.alias(newId: "n", options: options, enrichments: mark)
    }

    @Test("Events of all overloads reach the server, and closures see every type")
    func forms() async {
        let client = Client()
        all(client.analytics)
        _ = await client.flushed()
        #expect(client.server.events.count == 40)
        let marked = client.server.events.filter { $0["context"]?["marked"] == true }
        #expect(marked.count == 17)
        let types = Set(marked.compactMap { $0["type"]?.stringValue })
        #expect(types == ["track", "identify", "screen", "page", "group", "alias"])
    }
}
