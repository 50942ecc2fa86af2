import AnalyticsCompat
import ExampleIntegration
import Foundation

/// An app that was written for analytics-ios, with another import.
@main
enum CompatApp {
    static func main() async {
        let config = AnalyticsConfiguration(writeKey: "CONSUMER")
        config.use(ExampleIntegrationFactory.singleton)
        config.defaultSettings = ["integrations": ["Example": ["token": "t"]]]
        config.sourceMiddleware = [
            BlockMiddleware { context, next in
                if (context.payload as? TrackPayload)?.event != "Rogue" { next(context) }
            }
        ]
        config.configure {
            $0.apiHost("http://127.0.0.1:1/v1").cdnHost("http://127.0.0.1:1/v1").settingsTimeout(0)
                .storageMode(.memory(100))
        }
        Analytics.setup(with: config)
        Analytics.shared().identify("u-1", traits: ["name": "Ada"])
        Analytics.shared().track("Rogue")
        _ = await Analytics.shared().flush(timeout: 1)
        let dropped = Analytics.shared().counters.droppedByPlugin.values.reduce(0, +)
        let bundled = Analytics.shared().bundledIntegrations().keys.sorted()
        print("dropped \(dropped), integrations \(bundled)")
        exit(dropped == 1 && bundled == ["Example"] ? 0 : 1)
    }
}
