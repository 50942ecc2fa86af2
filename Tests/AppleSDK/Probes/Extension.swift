// An extension of an app, which may not use what only apps have: compiled with `-application-extension`.
import AnalyticsLive
import SwiftUI
import Tributary

struct ShareView: View {
    let analytics: Analytics
    var body: some View {
        SignalButton("Share") { analytics.track(name: "Shared") }
            .trackScreen("Share", with: analytics)
    }
}

@MainActor func startExtension() -> Analytics {
    Analytics(configuration: Configuration(writeKey: "KEY"))
}
