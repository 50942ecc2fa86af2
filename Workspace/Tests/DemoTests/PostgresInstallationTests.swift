import Foundation
import Testing

@testable import Demo

@Suite final class PostgresInstallationTests {
    private static let other = PostgresInstallation.Account.other(name: "postgres", user: 5, group: 6, home: "/home")
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("postgres-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Makes programs, and returns their folder.
    private func install(_ place: String, _ programs: [String] = ["initdb", "postgres", "psql"]) throws -> URL {
        let place = folder.appendingPathComponent(place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for program in programs {
            let path = place.appendingPathComponent(program).path
            try #require(
                FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o755]))
        }
        return place
    }

    private func find(
        path: String = "", _ account: PostgresInstallation.Account? = .own, canChangeUser: Bool = true
    ) -> PostgresInstallation {
        PostgresInstallation(
            path: path, versions: folder.appendingPathComponent("versions"), account: account,
            canChangeUser: canChangeUser)
    }

    private func programs(_ found: PostgresInstallation) -> String? {
        if case .installed(let programs, _) = found { programs.path } else { nil }
    }

    @Test("The newest version is taken, unless one is in PATH")
    func versions() throws {
        _ = try install("versions/9.6/bin")
        let newest = try install("versions/15/bin")
        #expect(programs(find()) == newest.path)
        let own = try install("own")
        #expect(programs(find(path: "/no/such:\(own.path)")) == own.path)
    }

    @Test("A folder without the server is passed over, and without any it is said how to get it")
    func incomplete() throws {
        let client = try install("client", ["psql"])
        #expect(
            find(path: client.path)
                == .missing("PostgreSQL is not installed (on Debian and Ubuntu: sudo apt install postgresql)"))
        let complete = try install("versions/15/bin")
        #expect(programs(find(path: client.path)) == complete.path)
    }

    @Test("Root starts the server as another user, or not at all")
    func root() throws {
        _ = try install("versions/15/bin")
        guard case .installed(_, Self.other) = find(Self.other) else {
            Issue.record("the server runs as root")
            return
        }
        for missing in [find(nil), find(Self.other, canChangeUser: false)] {
            guard case .missing(let reason) = missing else {
                Issue.record("root would start it")
                continue
            }
            #expect(reason.hasSuffix("start the demo as another user"))
        }
    }
}
