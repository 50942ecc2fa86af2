import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Addresses on the command line", .timeLimit(.minutes(30))) struct AddressOptionTests {
    private static func refused(_ arguments: [String], variables: [String: String] = [:]) async throws {
        let outcome = try await CommandRun(arguments, token: TestClient.token, environment: variables).finished()
        #expect(outcome.status == 1, "\(arguments): \(outcome)")
        #expect(outcome.errors.contains("a port is a number from 1 to 65535"), "\(arguments): \(outcome.errors)")
    }

    @Test("A server with an impossible port is an error of the command", arguments: ServiceAddressTests.poisoned)
    func server(url: String) async throws {
        try await Self.refused(["source", "list", "--server", url])
        try await Self.refused(["source", "list"], variables: ["TRIBUTARY_SERVER": url])
    }

    @Test(
        "A server does not start with an impossible port in an address",
        arguments: ["--public-url", "--notice-url"],
        ["http://h:65536", "http://h:99999999999999999999", "http://[::1]:99999"])
    func serve(option: String, url: String) async throws {
        let folder = try TemporaryFolder()
        try await Self.refused(["serve", "--port", "0", "--data", folder.path, option, url])
        let variable = "TRIBUTARY_" + option.dropFirst(2).uppercased().replacing("-", with: "_")
        try await Self.refused(["serve", "--port", "0", "--data", folder.path], variables: [variable: url])
    }
}
