package import Foundation
package import Logging
package import Tributary

/// A client with everything that tests want to hold: clock, server, folder.
package struct Client {
    package let analytics: Analytics
    package let server: TestServer
    package let time: ManualTime
    package let diagnostics: DiagnosticLog

    /// A client on memory unless a folder is given; bodies are plain, so that the server can read them. It logs nothing:
    /// what goes wrong on purpose is in `diagnostics`.
    /// - Parameter settings: what the server answers from the first question on.
    package init(
        server: TestServer = TestServer(), time: ManualTime = ManualTime(), folder: URL? = nil,
        writeKey: String = "KEY", settings: JSON? = nil,
        configure: (Configuration) -> Void = { _ in }
    ) {
        if let settings { server.answerSettings(settings) }
        let diagnostics = DiagnosticLog()  // before the client, so that nothing is missed
        self.diagnostics = diagnostics
        let configuration = Configuration(writeKey: writeKey)
            .apiHost("http://server.test/v1").cdnHost("http://server.test/v1")
            .transport(server).timeSource(time).gzip(false).migration(.off)
            .diagnosticObserver { diagnostics.add($0) }.logger(.silent)
            .storageMode(folder.map(StorageMode.diskAtURL) ?? .memory(10_000))
        configure(configuration)
        analytics = Analytics(configuration: configuration)
        self.server = server
        self.time = time
    }

    /// A client that stores what is tracked and never processes it, however much time goes by.
    package static func storing(
        in folder: URL, time: ManualTime = ManualTime(), configure: (Configuration) -> Void = { _ in }
    ) -> Client {
        let server = TestServer()
        server.silenceSettings()
        let client = Client(server: server, time: time, folder: folder) { configuration in
            configuration.waitingTimeout(1e12)
            configure(configuration)
        }
        let brake = Brake()
        client.analytics.add(plugin: brake)
        client.analytics.pauseEventProcessing(plugin: brake)
        return client
    }

    /// That many diagnostics of a kind have been reported.
    package func reported(_ kind: Diagnostic.Kind, count: Int) async { await diagnostics.wait(for: kind, count: count) }

    /// A diagnostic with that reason has been reported.
    package func reported(reason: String) async { await diagnostics.wait(reason: reason) }

    /// A diagnostic whose message contains that text has been reported.
    package func reported(text: String) async { await diagnostics.wait(text: text) }

    /// Ends the moment in which an app adds its plugins.
    package func begin() { time.advance(by: 0.1) }

    /// Everything that was tracked so far has gone through the timeline, destinations have dealt with it, and a plugin that
    /// was removed has ended.
    package func processed() async {
        begin()
        await withCheckedContinuation { continuation in analytics.afterProcessing { continuation.resume() } }
        await executed()
    }

    /// Waits until the executor has done the work that it was given so far.
    package func executed() async {
        await withCheckedContinuation { continuation in analytics.performBetweenEvents { continuation.resume() } }
    }

    /// Waits until all events so far have reached the server, and destinations have dealt with them.
    @discardableResult
    package func flushed() async -> FlushResult {
        await processed()
        return await analytics.flush(timeout: 3600)
    }

    /// One attempt to send everything was made, or was not to be made yet.
    package func attempted() async {
        begin()
        await withCheckedContinuation { continuation in analytics.flush { continuation.resume() } }
    }

    /// Waits until the client has ended and its files are closed.
    package func ended() async {
        await withCheckedContinuation { continuation in analytics.shutdown { continuation.resume() } }
    }
}

extension Logger {
    /// A logger that writes nothing.
    package static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Holds the processing of events.
private final class Brake: WaitingPlugin {
    let type = PluginType.utility
    weak var analytics: Analytics?
}
