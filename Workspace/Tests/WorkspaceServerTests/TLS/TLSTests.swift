import Foundation
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("TLS", .timeLimit(.minutes(30))) struct TLSTests {
    @Test("A development certificate is private, and is made again only for other hosts or before its end")
    func development() throws {
        let folder = try TemporaryFolder()
        let clock = TestClock()
        var environment = WorkspaceEnvironment.system
        environment.now = { clock.now }
        func text(_ hosts: String...) throws -> String {
            let files = try DevelopmentCertificate.files(in: folder.path, hosts: hosts, environment: environment)
            _ = try TLSIdentity(certificate: files.certificate, key: files.key)
            return try String(contentsOfFile: files.certificate, encoding: .utf8)
        }
        let first = try text("stats.example.com")
        #expect(try text("stats.example.com") == first)
        let other = try text("other.example.com", "192.0.2.7")
        #expect(other != first)
        clock.advance(by: 340 * 86_400_000)
        #expect(try text("other.example.com", "192.0.2.7") != other)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/development-key.pem")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("Unusable certificate files are refused at the start")
    func refused() throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        let first = try DevelopmentCertificate.files(in: one.path, hosts: [])
        let second = try DevelopmentCertificate.files(in: two.path, hosts: [])
        for (certificate, key) in [
            (first.certificate, second.key), (first.key, first.key), (first.certificate, first.certificate),
            (one.path + "/none", first.key),
        ] {
            #expect {
                _ = try TLSIdentity(certificate: certificate, key: key)
            } throws: { ($0 as? WorkspaceError)?.reason == .tls }
        }
    }
}
