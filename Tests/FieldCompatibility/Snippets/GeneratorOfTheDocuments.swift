import AnalyticsLive
import TestSupport
import Testing
import Tributary

@Suite("A generator as the documents of the field write it")
struct GeneratorOfTheDocumentsSnippet {
    private let script = """
        function processSignal(signal) {
            if (signal.type === SignalType.Navigation && signal.data.action === NavigationAction.Entering) {
                analytics.screen("Screen Viewed", null, { screen: signal.data.screen })
            }
            if (signal.type === SignalType.Interaction && signal.data.info === "Add to cart") {
                analytics.track("Add to cart", { component: signal.data.component, id: signal.data.data.id })
            }
        }
        """

    @Test("A generator of the documents finds its members, and the text of a signal has each of them once")
    func finds() async throws {
        let debug = Texts()
        let events = try await SignalStage.run(script, broadcasters: [debug]) { stage in
            stage.signals.emit(NavigationSignal(action: .entering, screen: "Home"))
            stage.signals.emit(InteractionSignal(component: "Button", title: "Add to cart", data: ["id": 7]))
        }
        #expect(events.first { $0["type"] == "screen" }?["properties"] == ["screen": "Home"])
        #expect(events.first { $0["event"] == "Add to cart" }?["properties"] == ["component": "Button", "id": 7])
        let interaction = debug.signals.first { $0["type"] as? String == "interaction" }
        let members = (interaction?["data"] as? [String: Any])?.keys.sorted()
        #expect(members == ["component", "data", "info", "title"])
    }
}

/// A broadcaster of an app's own, which gets signals as dictionaries.
///
/// Unchecked because it is called on one queue, and read when everything was handed over.
private final class Texts: SignalJSONBroadcaster, @unchecked Sendable {
    weak var analytics: Analytics?
    private(set) var signals: [[String: Any]] = []

    func added(signal: [String: Any]) { signals.append(signal) }
    func relay() {}
}
