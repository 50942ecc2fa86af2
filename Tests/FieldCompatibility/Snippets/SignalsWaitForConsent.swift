import AnalyticsLive
import TestSupport
import Testing
import Tributary

@Suite("An app that asks its user before anything is collected")
struct SignalsWaitForConsentSnippet {
    /// Unchecked because it is called on one queue, and read when everything was handed over.
    private final class Screens: SignalBroadcaster, @unchecked Sendable {
        weak var analytics: Analytics?
        private(set) var names: [String] = []

        func added(signal: any RawSignal) {
            if let signal = signal as? NavigationSignal { names.append(signal.data.currentScreen) }
        }
        func relay() {}
    }

    @Test("Broadcasters get no signal before the user agrees, and then all")
    func agreed() async throws {
        let screens = Screens()
        _ = try await SignalStage.run("", broadcasters: [screens], configure: { $0.consent(.pending) }) { stage in
            stage.signals.emit(NavigationSignal(currentScreen: "Welcome"))
            await stage.settled()
            #expect(screens.names.isEmpty)
            stage.client.analytics.setConsent(.granted)
            await stage.settled()
        }
        #expect(screens.names == ["Welcome"])
    }

    @Test("Broadcasters get no signal after a refusal, or when the client is off")
    func refused() async throws {
        let screens = Screens()
        _ = try await SignalStage.run("", broadcasters: [screens], configure: { $0.consent(.pending) }) { stage in
            stage.signals.emit(NavigationSignal(currentScreen: "Welcome"))
            stage.client.analytics.setConsent(.denied)
            stage.signals.emit(NavigationSignal(currentScreen: "Home"))
            await stage.settled()
            stage.client.analytics.setConsent(.granted)
            stage.client.analytics.enabled = false
            stage.signals.emit(NavigationSignal(currentScreen: "Cart"))
            await stage.settled()
        }
        #expect(screens.names.isEmpty)
    }
}
