import AnalyticsCompat
import Foundation
import TestSupport

/// A client that was made of a configuration of analytics-ios, with everything that tests want to hold.
struct CompatClient {
    let analytics: Analytics
    let configuration: AnalyticsConfiguration
    let server: TestServer
    let time: ManualTime
    let diagnostics: DiagnosticLog

    /// In memory unless a folder is given; settings that are nil never come.
    init(
        _ settings: JSON? = ["integrations": [:]], server: TestServer = TestServer(), folder: URL? = nil,
        configuration: AnalyticsConfiguration = AnalyticsConfiguration(writeKey: "KEY"),
        _ set: (AnalyticsConfiguration) -> Void = { _ in },
        options: @escaping @Sendable (Configuration) -> Void = { _ in }
    ) {
        let (time, diagnostics) = (ManualTime(), DiagnosticLog())
        if let settings { server.answerSettings(settings) } else { server.silenceSettings() }
        set(configuration)
        configuration.configure { client in
            client.cdnHost("http://server.test/v1").transport(server).timeSource(time).gzip(false).migration(.off)
                .storageMode(folder.map(StorageMode.diskAtURL) ?? .memory(10_000))
                .diagnosticObserver { diagnostics.add($0) }.logger(.silent)
            options(client)
        }
        analytics = Analytics(configuration: configuration)
        self.configuration = configuration
        self.server = server
        self.time = time
        self.diagnostics = diagnostics
    }

    /// Everything that was called so far has gone through middleware and integrations.
    func processed() async {
        time.advance(by: 0.1)
        // What middleware decides late comes to the executor first.
        await withCheckedContinuation { continuation in analytics.performBetweenEvents { continuation.resume() } }
        await withCheckedContinuation { continuation in analytics.afterProcessing { continuation.resume() } }
    }

    /// The same, and the server has it.
    func flushed() async {
        await processed()
        _ = await analytics.flush(timeout: 3600)
    }

    func ended() async {
        await withCheckedContinuation { continuation in analytics.shutdown { continuation.resume() } }
    }
}
