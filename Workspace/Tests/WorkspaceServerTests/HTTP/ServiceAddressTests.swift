import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Testing

@testable import WorkspaceCore
@testable import WorkspaceServer

@Suite("Addresses of other servers") struct ServiceAddressTests {
    @Test(
        "A port from 1 to 65535, names, numbers, path and query are read",
        arguments: [
            ("http://h:1/", "http://h:1/"), ("http://h:65535", "http://h:65535"),
            ("HTTPS://Stats.Example.com/Hook?x=1", "https://stats.example.com/Hook?x=1"),
            ("https://127.0.0.1:8443/a%20b", "https://127.0.0.1:8443/a%20b"),
            ("http://[2001:DB8::1]:80", "http://[2001:db8::1]:80"),
            ("http://h?x=1", "http://h?x=1"), ("http://a_b-c.d", "http://a_b-c.d"),
        ])
    func valid(text: String, read: String) throws {
        let address = try ServiceAddress(text)
        #expect(address.description == read)
        #expect(address.request(.GET).url == read)
    }

    /// Texts with a port that ends the process, or leads elsewhere, in the HTTP client or in Foundation.
    static let poisoned = [
        "http://127.0.0.1:65536/", "http://127.0.0.1:99999/", "https://127.0.0.1:99999/", "http://[::1]:99999/x",
        "http://localhost:99999", "http://h:99999999999999999999/", "http://h:0/", "http://h:-1/", "http://h:+80/",
        "http://h:80a/", "http://h:/",
    ]

    @Test("A port beyond the range, or none behind a colon, is refused and named", arguments: poisoned)
    func ports(text: String) {
        #expect { try ServiceAddress(text) } throws: { "\($0)".contains("a port is a number from 1 to 65535") }
    }

    @Test(
        "What is no address of a server is refused",
        arguments: [
            "", "example.com", "ftp://h", "http://", "http:///x", "http://u@h", "http://u:p@h/", "http://h/#f",
            "http://h /",
            "http://h\r\nX: y/", "http://h:٣/", "http://[::1/", "http://[x]/", "http://[::1%25lo]/", "http://h\\x@y/",
            "http://ümlaut.de/", "http://\(String(repeating: "a", count: 254))/",
        ])
    func invalid(text: String) {
        #expect(throws: ServiceAddress.Problem.self) { try ServiceAddress(text) }
    }

    @Test("Only an address makes requests in the server and in the command")
    func onlyWay() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "../../../Sources")
        var places: [String] = []
        for target in ["WorkspaceServer", "TributaryCommand"] {
            let folder = sources.appendingPathComponent(target).standardizedFileURL
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            for case let file as URL in try #require(files) where file.pathExtension == "swift" {
                let text = try String(contentsOf: file, encoding: .utf8)
                if text.contains("HTTPClientRequest(") || text.contains("URLSession")
                    || text.contains("HTTPClient.shared")
                {
                    places.append(file.lastPathComponent)
                }
            }
        }
        #expect(places == ["ServiceAddress+Request.swift"])
    }
}
