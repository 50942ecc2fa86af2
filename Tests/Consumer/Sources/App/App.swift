import Foundation
import Tributary
import TributaryCommerce

/// The app's own client, as every app has one.
extension Analytics {
    static let main = Analytics(
        configuration: Configuration(writeKey: "CONSUMER")
            .apiHost("http://127.0.0.1:1/v1").cdnHost("http://127.0.0.1:1/v1")
            .settingsTimeout(0).storageMode(.memory(100)))
}

/// An app's own plugin, in the form of the plugin documentation.
final class Stage: Plugin {
    let type = PluginType.enrichment
    weak var analytics: Analytics?

    func execute(event: BaseEvent) -> BaseEvent? {
        var event = event
        event.json["context"]?["stage"] = "beta"
        return event
    }
}

@main
enum App {
    static func main() async {
        // Nobody has made a client yet: what is tracked now is dropped, and that is all that happens.
        let absent = Analytics.shared()
        absent.track(name: "Too Early")
        guard absent.counters.tracked == 0, absent !== Analytics.main, Analytics.shared() === Analytics.main else {
            print("shared() is not the app's client")
            exit(2)
        }
        Analytics.main.waitUntilStarted()
        Analytics.main.add(plugin: Stage())
        Analytics.main.identify(userId: "u-1", traits: ["plan": "pro"])
        Analytics.main.track(name: "Order Completed", properties: ["total": 42])
        Analytics.main.track(Ecommerce.CartViewed(cartId: "c-1"))
        _ = await Analytics.main.flush(timeout: 1)
        let counters = Analytics.main.counters
        print("tracked \(counters.tracked), processed \(counters.processed)")
        exit(counters.tracked == 3 && counters.processed == 3 ? 0 : 1)
    }
}
