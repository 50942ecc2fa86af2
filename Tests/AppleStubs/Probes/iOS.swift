// Compiles only when the parts of the client that belong to iOS were compiled.
import AnalyticsLive
import SwiftUI
import UIKit

@testable import Tributary

#if !os(iOS)
#error("this is not iOS")
#endif

final class Probe: Plugin, iOSLifecycleEvents {
    let type = PluginType.utility
    weak var analytics: Analytics?
    func applicationDidEnterBackground(application: UIApplication?) {}
}

let parts: [Any.Type] = [UIKitLifecycle.self, AppleContext.self, ExpiringActivity.self, (any iOSLifecycle).self]
let isWatched: Bool = SystemLifecycle.isWatched
func goOn(with activity: NSUserActivity, _ analytics: Analytics) { analytics.continueUserActivity(activity) }
let transport: URLSessionTransport.Type = SystemTransport.self
@MainActor func screen() -> some View { Text("").trackScreen("Screen", with: nil) }

/// Like SwiftUI's, a control can be made anywhere.
nonisolated func control() -> SignalButton<Text> { SignalButton("Buy") {} }
