#if canImport(UIKit) && !os(watchOS)
import Foundation
import TestSupport
import Testing
import TributaryJSON
import UIKit

@testable import Tributary

extension AppleLifecycleTests {
    @Suite("UIKit", .serialized)
    struct UIKitTests {
        /// Unchecked because notifications are posted, and calls noted, on one thread at a time.
        private final class Listener: Plugin, iOSLifecycleEvents, @unchecked Sendable {
            let type = PluginType.utility
            weak var analytics: Analytics?
            var calls: [String] = []

            func application(
                _ application: UIApplication?,
                didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
            ) { calls.append("launched \(launchOptions?.count ?? 0)") }
            func applicationDidEnterBackground(application: UIApplication?) {
                calls.append("background \(application != nil)")
            }
            func applicationDidReceiveMemoryWarning(application: UIApplication?) { calls.append("memory") }
        }

        private func post(_ name: Notification.Name, _ object: Any? = nil, _ info: [AnyHashable: Any]? = nil) {
            NotificationCenter.default.post(name: name, object: object, userInfo: info)
        }

        private func url(_ text: String) -> URL { URL(string: text) ?? URL(fileURLWithPath: text) }

        @Test("UIKit's notifications become events, through the client's own plugin")
        @MainActor func uiKit() async throws {
            let folder = try TemporaryFolder()
            let client = Client(folder: folder.url) { $0.flushAt(1000) }
            let listener = Listener()
            client.analytics.add(plugin: listener)
            client.begin()
            post(
                UIApplication.didFinishLaunchingNotification, nil,
                [
                    UIApplication.LaunchOptionsKey.url: url("app://page"),
                    UIApplication.LaunchOptionsKey.sourceApplication: "com.mail",
                ])
            post(UIApplication.willEnterForegroundNotification)
            post(UIApplication.didBecomeActiveNotification)
            post(UIApplication.didReceiveMemoryWarningNotification)
            post(UIApplication.didEnterBackgroundNotification, UIApplication())
            // The background's own delivery, which the system leaves time for.
            await client.server.confirmed(3)
            post(UIApplication.willEnterForegroundNotification)
            post(UIApplication.willTerminateNotification)
            #expect(await client.flushed() == .sent)
            #expect(
                client.server.names == [
                    "Application Installed", "Application Opened", "Application Backgrounded", "Application Opened",
                    "Application Foregrounded", "Application Terminated",
                ])
            let opened = client.server.events[1]["properties"]
            #expect(opened?["url"] == "app://page")
            #expect(opened?["referring_application"] == "com.mail")
            #expect(listener.calls == ["launched 2", "memory", "background true"])
            await client.ended()
            post(UIApplication.didEnterBackgroundNotification)
            #expect(listener.calls.count == 3)
        }

        // An app cannot make these objects, nor set what they say: only those of the stubs can be made.
        #if canImport(AppleFoundation)
        @Test("An app that starts in the background counts as opened when the user sees it")
        @MainActor func background() async throws {
            let client = Client(folder: try TemporaryFolder().url)
            let application = UIApplication()
            application.applicationState = .background
            post(UIApplication.didFinishLaunchingNotification, application)
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == ["Application Installed"])
            application.applicationState = .inactive
            post(UIApplication.willEnterForegroundNotification, application)
            post(UIApplication.didBecomeActiveNotification, application)
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == ["Application Installed", "Application Opened"])
            await client.ended()
        }

        @Test("Plugins get the calls of scenes, and one line tracks the address of a scene")
        @MainActor func scenes() async throws {
            // Unchecked because `scenes` belongs to the main actor, and the client sets `analytics` before any call.
            final class SceneListener: Plugin, SceneEvents, @unchecked Sendable {
                let type = PluginType.utility
                weak var analytics: Analytics?
                @MainActor var scenes: [UIScene] = []
                func sceneWillEnterForeground(_ scene: UIScene) { scenes.append(scene) }
            }
            let client = Client { $0.setTrackedApplicationLifecycleEvents(.none) }
            let listener = SceneListener()
            client.analytics.add(plugin: listener)
            let scene = UIScene()
            post(UIScene.willEnterForegroundNotification, scene)
            post(UIScene.willEnterForegroundNotification)
            #expect(listener.scenes == [scene])
            let (options, context) = (UIScene.ConnectionOptions(), UIOpenURLContext(url: url("app://page")))
            context.options.sourceApplication = "com.mail"
            options.urlContexts = [context]
            client.analytics.openScene(options)
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == ["Deep Link Opened"])
            let properties = client.server.events.first?["properties"]
            #expect(properties?["url"] == "app://page")
            #expect(properties?["referring_application"] == "com.mail")
            await client.ended()
        }
        #endif

        @Test("A client that is made after the start tracks it a moment later")
        func late() async throws {
            let folder = try TemporaryFolder()
            let client = Client(folder: folder.url)
            client.time.advance(by: StartNotice.patience)
            await MainActor.run {}
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == ["Application Installed", "Application Opened"])
            await client.ended()
        }

        @Test("A client that is made before the start waits for the notification, which has the address")
        @MainActor func early() async throws {
            let client = Client(folder: try TemporaryFolder().url)
            // The main queue has its turn before the notification comes.
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
            post(
                UIApplication.didFinishLaunchingNotification, nil,
                [UIApplication.LaunchOptionsKey.url: url("app://page")])
            client.time.advance(by: StartNotice.patience)
            await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == ["Application Installed", "Application Opened"])
            #expect(client.server.events.last?["properties"]?["url"] == "app://page")
            await client.ended()
        }

        @Test("Without lifecycle events, plugins still get the lifecycle calls")
        func none() async {
            let client = Client { $0.setTrackedApplicationLifecycleEvents(.none) }
            let listener = Listener()
            client.analytics.add(plugin: listener)
            post(UIApplication.didEnterBackgroundNotification)
            #expect(await client.flushed() == .sent)
            #expect(client.server.names == [])
            #expect(listener.calls == ["background false"])
            await client.ended()
        }
    }
}
#endif
