import Foundation
import TestSupport
import Testing
import Tributary
import TributaryJSON
import TributaryRuleCompiler

@testable import AnalyticsLive

/// Bundles with live plugins as data, in a client.
@Suite(.timeLimit(.minutes(30))) struct DataPluginTests {
    private static func script(_ form: String) -> String {
        "class Stamp extends LivePlugin { track(event) { event.context.form = \"\(form)\"; return event } }\n"
            + "analytics.add(new Stamp(LivePluginType.enrichment, null))\n"
    }

    /// A bundle whose data and whose script write different values, so that it shows which of them ran.
    private static func bundle() -> String {
        let data = RuleBundle(script("data")).text
        return data[...(data.firstIndex(of: "\n") ?? data.startIndex)] + script("script")
    }

    private func forms(_ client: Client) async -> [JSON?] {
        client.analytics.track(name: "A")
        await client.flushed()
        return client.server.events.map { $0["context"]?["form"] }
    }

    @Test("A bundle with data runs as data, and stays so at the next launch")
    func data() async throws {
        let folder = try TemporaryFolder()
        let client = Deployment.client(Self.bundle(), folder: folder.url)
        #expect(await forms(client) == ["data"])
        await client.ended()
        let later = Deployment.client(status: 503, folder: folder.url)
        #expect(await forms(later) == ["data"])
        await later.ended()
    }

    @Test("An app that accepts data only refuses a script, says so, and runs the last data")
    func dataOnly() async throws {
        let plugin = LivePlugins(fallbackFileURL: nil, accept: .dataOnly)
        let client = Deployment.client(Self.bundle(), plugin: plugin)
        #expect(await forms(client) == ["data"])
        await client.deploy(version: 2, Self.script("script"), until: "is refused")
        #expect(await forms(client) == ["data", "data"])
        #expect(client.liveMessages.contains { $0.contains("the app runs live plugins as data only") })
        await client.deploy(version: 3, RuleBundle(Self.script("later")).text)
        #expect(await forms(client) == ["data", "data", "later"])
        await client.ended()
    }

    @Test("Data that cannot be read leaves the script, except where the app accepts data only")
    func unreadable() async throws {
        let bundle = "/*tributary data {\"format\":99}*/\n" + Self.script("script")
        let client = Deployment.client(bundle)
        #expect(await forms(client) == ["script"])
        #expect(client.liveMessages.contains { $0.contains("its data cannot be read") })
        await client.ended()
        let strict = Deployment.client(bundle, plugin: LivePlugins(fallbackFileURL: nil, accept: .dataOnly))
        #expect(await forms(strict) == [nil])
        await strict.ended()
    }

    @Test("Data has the signature of its bundle")
    func signature() async throws {
        let key = SigningKey()
        let publicKey = key.publicKey.base64EncodedString()
        let signature = try key.signature(for: Data(Self.bundle().utf8)).base64EncodedString()
        let client = Deployment.client(
            Self.bundle(), signature: signature, plugin: LivePlugins(publicKey: publicKey, accept: .dataOnly))
        #expect(await forms(client) == ["data"])
        let forged = RuleBundle(Self.script("forged")).text
        await client.deploy(version: 2, forged, signature: signature, until: "is not available")
        #expect(await forms(client) == ["data", "data"])
        await client.ended()
    }
}
