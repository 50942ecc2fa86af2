import AnalyticsLive
import SwiftUI
import Tributary
import TributaryInspector

typealias Button = SignalButton

/// What an app does with the client.
@MainActor
func start() -> some View {
    let analytics = Analytics(configuration: Configuration(writeKey: "KEY").consent(.pending))
    analytics.add(plugin: LivePlugins(fallbackFileURL: nil))
    Signals.shared.useConfiguration(SignalsConfiguration(writeKey: "KEY", useSwiftUIAutoSignal: true))
    analytics.add(plugin: Signals.shared)
    analytics.track(name: "Opened", properties: ["from": "widget"])
    return Form(action: { analytics.flush() }).tributaryInspector(ClientInspector(analytics))
}

/// A view with an action that is stored, as views of apps have.
struct Form: View {
    let action: () -> Void

    var body: some View { Button(action: action) { Text("Send") } }
}
