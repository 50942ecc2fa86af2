import AnalyticsLive
// Compiles only when the parts of the client that belong to macOS were compiled.
import AppKit
import SwiftUI

@testable import Tributary

#if !os(macOS)
#error("this is not macOS")
#endif

final class Probe: Plugin, macOSLifecycleEvents {
    let type = PluginType.utility
    weak var analytics: Analytics?
    func applicationDidHide() {}
}

let parts: [Any.Type] = [AppKitLifecycle.self, AppleContext.self, (any macOSLifecycle).self]
let isWatched: Bool = SystemLifecycle.isWatched
func goOn(with activity: NSUserActivity, _ analytics: Analytics) { analytics.continueUserActivity(activity) }
let transport: URLSessionTransport.Type = SystemTransport.self
@MainActor func screen() -> some View { Text("").trackScreen("Screen", with: nil) }

/// Like SwiftUI's, a control can be made anywhere.
nonisolated func control() -> SignalButton<Text> { SignalButton("Buy") {} }
