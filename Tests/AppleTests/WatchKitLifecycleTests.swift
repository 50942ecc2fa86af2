#if canImport(WatchKit)
import Foundation
import TestSupport
import Testing
import WatchKit

@testable import Tributary

extension AppleLifecycleTests {
    @Suite("WatchKit", .serialized)
    struct WatchKitTests {
        /// Unchecked because notifications are posted, and calls noted, on one thread at a time.
        private final class Listener: Plugin, watchOSLifecycleEvents, @unchecked Sendable {
            let type = PluginType.utility
            weak var analytics: Analytics?
            var calls: [String] = []

            func applicationDidEnterBackground(watchExtension: WKExtension?) { calls.append("watch background") }
        }

        private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: nil) }

        @Test("WatchKit's notifications become steps")
        @MainActor func watchKit() async {
            let client = Client { $0.setTrackedApplicationLifecycleEvents(.none) }
            let listener = Listener()
            client.analytics.add(plugin: listener)
            let steps = LockBox<[LifecycleStep]>([])
            let watch = WatchKitLifecycle(client.analytics) { step in steps.withLock { $0.append(step) } }
            post(WKApplication.didBecomeActiveNotification)
            post(WKApplication.didEnterBackgroundNotification)
            post(WKApplication.willEnterForegroundNotification)
            let told = steps.withLock { $0.filter { $0 != .launched() } }
            #expect(told == [.becameActive, .enteredBackground, .enteringForeground])
            #expect(listener.calls == ["watch background"])
            watch.stop()
            await client.ended()
        }
    }
}
#endif
