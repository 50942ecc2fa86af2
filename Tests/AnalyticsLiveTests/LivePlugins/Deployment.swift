import Foundation
import TestSupport
import Tributary

@testable import AnalyticsLive

/// A workspace that has deployed live plugins, as a client sees it.
enum Deployment {
    static let url = "http://server.test/v1/projects/KEY/live-plugins/1.js"

    /// A script whose plugins write their version into each event before, during and after everything else.
    static func stamp(_ version: Int) -> String {
        """
        class Stamp extends LivePlugin {
            process(event) { event.context.bundle = \(version); return super.process(event) }
        }
        analytics.add(new Stamp(LivePluginType.enrichment, null))
        """
    }

    /// The settings that name a version.
    static func settings(
        version: Int, sha256: String? = nil, signature: String? = nil, signatures: [String]? = nil, log: JSON? = nil,
        url: String = Self.url
    ) -> JSON {
        var function: JSON = ["version": .number(JSONNumber(version)), "downloadURL": .string(url)]
        function["sha256"] = sha256.map(JSON.string)
        function["signature"] = signature.map(JSON.string)
        function["signatures"] = signatures.map { .array($0.map(JSON.string)) }
        function["log"] = log
        return ["integrations": ["Amplitude": true], "edgeFunction": function]
    }

    /// A client whose workspace has deployed a script.
    static func client(
        version: Int = 1, _ script: String = "", bytes: [UInt8]? = nil, status: Int = 200,
        type: String = "text/javascript", sha256: String? = nil,
        signature: String? = nil, signatures: [String]? = nil, log: JSON? = nil,
        growth: StubServer.Answer? = nil, plugin: LivePlugins? = nil, folder: URL? = nil,
        configure: (Configuration) -> Void = { _ in }
    ) -> Client {
        let server = TestServer()
        server.answerSettings(
            settings(version: version, sha256: sha256, signature: signature, signatures: signatures, log: log))
        if let growth { server.answerLog(growth) }
        server.answerBundle(bytes: bytes ?? Array(script.utf8), status: status, type: type)
        let client = Client(server: server, folder: folder, configure: configure)
        client.analytics.add(plugin: plugin ?? LivePlugins(fallbackFileURL: nil))
        return client
    }
}

extension Client {
    /// The workspace deploys another version, and this client fetches it and decides about it.
    ///
    /// - Parameter decision: what live plugins then say about the version. Settings arrive before the bundle that they
    ///   name, so an event could otherwise go through the version before.
    func deploy(
        version: Int, _ script: String, sha256: String? = nil, signature: String? = nil, until decision: String = "runs"
    ) async {
        server.answerBundle(script)
        server.answerSettings(Deployment.settings(version: version, sha256: sha256, signature: signature))
        await refreshed()
        await reported(text: "version \(version) \(decision)")
    }

    /// Waits until the client has fetched new settings.
    func refreshed() async {
        await withCheckedContinuation { done in analytics.refreshSettings { done.resume() } }
    }

    /// The version that wrote itself into each event that has arrived.
    var bundles: [JSON?] { server.events.map { $0["context"]?["bundle"] } }

    /// The diagnostics of live plugins and their faults.
    var liveMessages: [String] {
        (diagnostics.all(.livePlugins) + diagnostics.all(.pluginFault)).map(\.message)
    }
}
