import AnalyticsLive
import Foundation
import Tributary

extension Analytics {
    static let main = Analytics(configuration: Configuration(writeKey: "CONSUMER"))
}

/// An app with live plugins and filters, as their documentation shows it.
@main
enum LiveApp {
    static func main() {
        let fallbackURL: URL? = Bundle.main.url(forResource: "myFallback", withExtension: "js")
        let lp = LivePlugins(fallbackFileURL: fallbackURL)
        Analytics.main.add(plugin: lp)
        let filters = DestinationFilters()
        Analytics.main.add(plugin: filters)
        Analytics.main.track(name: "Order Completed", properties: ["total": 42])
    }
}
