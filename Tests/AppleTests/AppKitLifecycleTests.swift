#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation
import TestSupport
import Testing

@testable import Tributary

extension AppleLifecycleTests {
    @Suite("AppKit", .serialized)
    struct AppKitTests {
        /// Unchecked because notifications are posted, and calls noted, on one thread at a time.
        private final class Listener: Plugin, macOSLifecycleEvents, @unchecked Sendable {
            let type = PluginType.utility
            weak var analytics: Analytics?
            var calls: [String] = []

            func applicationDidHide() { calls.append("hidden") }
            func applicationDidUpdate() { calls.append("updated") }
            func applicationWillTerminate() { calls.append("terminating") }
        }

        private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: nil) }

        @Test("AppKit's notifications become steps")
        @MainActor func appKit() async {
            let client = Client { $0.setTrackedApplicationLifecycleEvents(.none) }
            let listener = Listener()
            client.analytics.add(plugin: listener)
            let steps = LockBox<[LifecycleStep]>([])
            let watch = AppKitLifecycle(client.analytics) { step in steps.withLock { $0.append(step) } }
            post(NSApplication.didFinishLaunchingNotification)
            post(NSApplication.didBecomeActiveNotification)
            post(NSApplication.didHideNotification)
            post(NSApplication.didUnhideNotification)
            post(NSApplication.didUpdateNotification)
            post(NSApplication.willTerminateNotification)
            let told = steps.withLock { $0.filter { $0 != .launched() } }
            #expect(told == [.becameActive, .hidden, .unhidden, .terminating])
            #expect(listener.calls == ["hidden", "updated", "terminating"])
            watch.stop()
            post(NSApplication.didHideNotification)
            #expect(listener.calls.count == 3)
            await client.ended()
        }
    }
}
#endif
