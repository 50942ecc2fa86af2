import AnalyticsLive
import TestSupport
import Testing
import Tributary

@Suite("A generator that is written for the current release of the field")
struct GeneratorOfTheCurrentReleaseSnippet {
    private let script = """
        function processSignal(current) {
            if (current.type === "navigation") {
                analytics.screen("Screen Viewed", null, { screen: current.data.currentScreen })
            }
            if (current.type === "interaction" && current.data.target.title === "Add to cart") {
                const response = signals.find(current, "network", (signal) => signal.data.action === "response")
                analytics.track(current.data.target.title, {
                    component: current.data.target.component,
                    id: current.data.target.data.id,
                    price: response.data.body.content.price,
                    status: response.data.status,
                })
            }
        }
        """

    @Test("A generator of the current release finds target, screen and body of signals")
    func finds() async throws {
        let events = try await SignalStage.run(script) { stage in
            stage.signals.emit(NavigationSignal(currentScreen: "Home"))
            stage.signals.emit(
                NetworkSignal(
                    data: NetworkData(
                        action: .response, url: "https://shop.example/products/7", statusCode: 200,
                        data: ["content": ["price": 12.5]])))
            stage.signals.emit(InteractionSignal(component: "Button", title: "Add to cart", data: ["id": 7]))
        }
        #expect(events.first { $0["type"] == "screen" }?["properties"] == ["screen": "Home"])
        #expect(
            events.first { $0["event"] == "Add to cart" }?["properties"]
                == ["component": "Button", "id": 7, "price": 12.5, "status": 200])
    }
}
