import Foundation
import TributaryJSON
import TributaryPluginTestKit

/// The deployed versions of the live plugins of a source.
struct DeployedBundles {
    private let server: AdministrationClient
    private let writeKey: String
    /// The newest first.
    private let versions: [JSON]

    init(_ options: SourceOptions) async throws {
        server = try AdministrationClient(options.server)
        writeKey = options.writeKey
        versions = try await AdministrationClient(options).get("live-plugins").list("versions")
    }

    /// The number of the newest version; nil before the first deployment.
    var newest: Int? { versions.first?["version"]?.intValue }

    /// The number of the newest version that does not switch live plugins off; nil when there is none.
    var newestWithText: Int? { versions.first { $0["bytes"]?.intValue != 0 }?["version"]?.intValue }

    /// Where the newest version runs; nil before the first deployment.
    var place: PluginWhere? { versions.first.map(PluginWhere.init) }

    /// The text of a version; empty for one that switches live plugins off.
    func text(of version: Int) async throws -> String {
        guard let found = versions.first(where: { $0["version"]?.intValue == version }) else {
            let known = versions.compactMap { $0["version"]?.intValue }
            let range = known.isEmpty ? "none is deployed" : "there are \(known.min() ?? 0) to \(known.max() ?? 0)"
            throw Failure("the source \(writeKey) has no version \(version) of the live plugins; \(range)")
        }
        guard found["bytes"]?.intValue != 0 else { return "" }
        let data = try await server.data("v1/projects/\(writeKey)/live-plugins/\(version).js")
        return String(decoding: data, as: UTF8.self)
    }

    /// The tables of a bundle; none when they cannot be read, which does not keep a deployment from replacing them.
    static func tables(of bundle: String) -> ScriptTables {
        (try? ScriptTables.parts(of: bundle).tables) ?? ScriptTables()
    }

    /// The newest version.
    func requireNewest() throws(Failure) -> Int {
        guard let newest else { throw Failure("no live plugins are deployed for \(writeKey)") }
        return newest
    }
}
