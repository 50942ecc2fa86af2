import Foundation
import Hummingbird
import Logging
import ServiceLifecycle
import Tributary

/// A shop's server that sends the actions of its users to the workspace: an example of the client on a server.
///
///     swift run --package-path Workspace ExampleServer
///
/// It sends events to the workspace at `http://127.0.0.1:8484`, or where `TRIBUTARY_HOST` says.
@main
enum ExampleServer {
    static func main() async throws {
        let host = ProcessInfo.processInfo.environment["TRIBUTARY_HOST"] ?? "http://127.0.0.1:8484"
        let analytics = Analytics(
            configuration: Configuration(writeKey: "SERVER_WRITE_KEY")
                .apiHost("\(host)/v1").cdnHost("\(host)/v1")
                .flushAt(100).flushInterval(5))
        var application = Application(
            router: Shop(analytics: analytics).router(),
            configuration: .init(address: .hostname("127.0.0.1", port: 8080)),
            logger: Logger(label: "shop"))
        application.addServices(AnalyticsService(analytics: analytics))
        try await application.runService()
    }
}
