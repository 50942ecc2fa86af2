import Foundation
import TributaryJSON

/// The deployed rules of a source.
struct DeployedRules {
    private let client: AdministrationClient

    init(_ options: SourceOptions) throws(Failure) { client = try AdministrationClient(options) }

    /// The rules of a version, one member a line; nil is the version for all devices.
    func text(of version: Int?) async throws -> String {
        if version == 0 { return "[]" }
        let query = version.map { [URLQueryItem(name: "version", value: "\($0)")] } ?? []
        return try await client.get("filters", query: query).prettyPrint()
    }
}
