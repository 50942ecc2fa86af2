import AnalyticsLive
import Foundation
import SwiftUI
import Tributary
import TributaryInspector

/// The app's own client: one for all of it, made at its first use.
extension Analytics {
    static let main: Analytics = {
        // `tributary serve --write-key KEY` starts a workspace on the same computer, which a simulator reaches so.
        let analytics = Analytics(
            configuration: Configuration(writeKey: "KEY")
                .apiHost("http://127.0.0.1:8484/v1")
                .cdnHost("http://127.0.0.1:8484/v1")
                .consent(.pending))
        analytics.add(plugin: Sessions())
        analytics.add(
            plugin: LivePlugins(fallbackFileURL: Bundle.main.url(forResource: "fallback", withExtension: "js")))
        Signals.shared.useConfiguration(SignalsConfiguration(writeKey: "KEY", useSwiftUIAutoSignal: true))
        analytics.add(plugin: Signals.shared)
        return analytics
    }()
}

/// A shop with one shelf, a basket, a login and a question about consent. In debug builds a button shows what happened to
/// the last events.
@main
struct ShopApp: App {
    private let inspector = ClientInspector(.main)

    var body: some Scene {
        WindowGroup {
            ShelfView().tributaryInspector(inspector)
        }
    }
}
