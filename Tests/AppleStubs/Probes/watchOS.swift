// Compiles only when the parts of the client that belong to watchOS were compiled.
import AnalyticsLive
import SwiftUI
import WatchKit

@testable import Tributary

#if !os(watchOS)
#error("this is not watchOS")
#endif

final class Probe: Plugin, watchOSLifecycleEvents {
    let type = PluginType.utility
    weak var analytics: Analytics?
    func applicationDidEnterBackground(watchExtension: WKExtension?) {}
}

let parts: [Any.Type] = [WatchKitLifecycle.self, AppleContext.self, ExpiringActivity.self, (any watchOSLifecycle).self]
let isWatched: Bool = SystemLifecycle.isWatched
func goOn(with activity: NSUserActivity, _ analytics: Analytics) { analytics.continueUserActivity(activity) }
let transport: URLSessionTransport.Type = SystemTransport.self
@MainActor func screen() -> some View { Text("").trackScreen("Screen", with: nil) }

/// Like SwiftUI's, a control can be made anywhere.
nonisolated func control() -> SignalButton<Text> { SignalButton("Buy") {} }
