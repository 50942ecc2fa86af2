import Foundation
import TestSupport
import Testing
import Tributary

@Suite("An error handler that tells cases apart")
struct ErrorHandlingSnippet {
    /// What an app of the field does with an error.
    private static func name(_ error: Error) -> String {
        switch error {
        case AnalyticsError.networkServerRejected(let url, let status): "rejected \(url?.path ?? "") \(status)"
        case AnalyticsError.networkServerLimited(_, let status): "limited \(status)"
        case AnalyticsError.networkUnexpectedHTTPCode(_, let status): "unexpected \(status)"
        case AnalyticsError.networkUnknown: "unknown"
        case AnalyticsError.settingsFail(AnalyticsError.networkServerRejected(_, let status)): "settings \(status)"
        case AnalyticsError.jsonUnableToSerialize: "json"
        case AnalyticsError.pluginError(let error): "plugin \(error)"
        case is CocoaError: "own"
        default: "other"
        }
    }

    private func told(_ work: (Client) async -> Void, configure: (TestServer) -> Void) async -> [String] {
        let errors = Atomic(wrappedValue: [String]())
        let server = TestServer()
        configure(server)
        let client = Client(server: server) {
            $0.errorHandler { error in errors.mutate { $0.append(Self.name(error)) } }
        }
        await work(client)
        await client.ended()
        return errors.wrappedValue
    }

    @Test(
        "An error answer of a server has a case with its address and its status",
        arguments: [
            (500, "rejected /v1/b 500"), (429, "limited 429"), (302, "unexpected 302"),
        ])
    func statuses(status: Int, expected: String) async {
        let errors = await told { client in
            client.analytics.track(name: "A")
            await client.processed()
            client.analytics.flush()
            await client.reported(.delivery, count: 1)
            await client.processed()
        } configure: { server in
            server.answerNext(status)
        }
        #expect(errors.contains(expected), "\(errors)")
    }

    @Test("Errors of settings, of values and of the app have their own cases")
    func others() async {
        let errors = await told { client in
            await client.processed()
            client.analytics.track(name: "A", properties: ["bad": (1, 2)])
            client.analytics.reportInternalError(CocoaError(.fileNoSuchFile))
            client.analytics.reportInternalError(AnalyticsError.pluginError(CancellationError()))
            await client.reported(.reported, count: 2)
            await client.processed()
        } configure: { server in
            server.answerSettings(.success(TransportResponse(status: 404)))
        }
        #expect(errors.contains("settings 404"), "\(errors)")
        #expect(errors.contains("json"), "\(errors)")
        #expect(errors.contains("own"), "\(errors)")
        #expect(errors.contains("plugin CancellationError()"), "\(errors)")
    }
}
