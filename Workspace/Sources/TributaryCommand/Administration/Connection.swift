import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOSSL
import Synchronization
import WorkspaceCore
import WorkspaceServer

/// Sends requests to a workspace over HTTP, or over https when the caller trusts the authority of its certificate.
///
/// Trusted are the authorities of the system, or of SSL_CERT_FILE and SSL_CERT_DIR in the environment as with other
/// programs, and those of a file that the caller names, such as the certificate that `serve --tls-development` makes.
struct Connection {
    /// A request that got no answer, in a sentence.
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    private let client: HTTPClient

    /// - Parameter authority: a PEM file with certificates to trust besides the others.
    init(authority: String?, environment: [String: String] = ProcessInfo.processInfo.environment) throws(Failure) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let place = environment["SSL_CERT_FILE"] ?? environment["SSL_CERT_DIR"], !place.isEmpty {
            tls.trustRoots = .file(place)
        }
        if let authority {
            do {
                tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(authority))]
            } catch {
                throw Failure(
                    "the authority \(authority.printable) cannot be used: "
                        + (SystemReason.reading(authority)
                            ?? "the file has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----")
                )
            }
        }
        client = Self.clients.withLock { clients in
            if let known = clients[authority ?? ""] { return known }
            let made = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration(tls))
            clients[authority ?? ""] = made
            return made
        }
    }

    /// A client must be shut down before it is released. A command needs its clients until it ends, so it keeps them
    /// all.
    private static let clients = Mutex<[String: HTTPClient]>([:])

    private static func configuration(_ tls: TLSConfiguration) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            // A workspace that searches many events may be silent for a while.
            timeout: .init(connect: .seconds(30), read: .seconds(300)), decompression: .disabled)
        // A refused connection is an answer, so the request is not repeated until the time is up.
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// A request to an address.
    static func request(_ method: String, _ address: ServiceAddress) -> HTTPClientRequest {
        address.request(HTTPMethod(rawValue: method))
    }

    /// The address of a workspace, as an operator wrote it.
    static func address(_ text: String) throws(Failure) -> ServiceAddress {
        do throws(ServiceAddress.Problem) {
            return try ServiceAddress(text)
        } catch {
            throw Failure("the server cannot be used: \(error)")
        }
    }

    /// Sends a request and returns the head of the answer; its body comes piece by piece.
    func open(_ request: HTTPClientRequest) async throws(Failed) -> HTTPClientResponse {
        do {
            do {
                return try await client.execute(request, deadline: .distantFuture)
            } catch  where request.method == .GET && Self.isClosed(error) {
                // The connection was kept from an earlier request, and the server has closed it since. A question can be
                // asked again.
                return try await client.execute(request, deadline: .distantFuture)
            }
        } catch {
            throw Failed(description: Self.text(error))
        }
    }

    /// Whether the connection ended before an answer came.
    private static func isClosed(_ error: any Error) -> Bool {
        error is ChannelError || error as? HTTPClientError == .remoteConnectionClosed
    }

    /// Sends a request and returns the whole answer.
    func data(for request: HTTPClientRequest) async throws(Failed) -> (Data, HTTPClientResponse) {
        let answer = try await open(request)
        do {
            return (Data(buffer: try await answer.body.collect(upTo: Self.longestAnswer)), answer)
        } catch {
            throw Failed(description: Self.text(error))
        }
    }

    /// Bytes of an answer that is kept in memory as a whole; lists come in pages that are much shorter.
    private static let longestAnswer = 256 << 20

    /// The reason of the failure.
    static func text(_ error: any Error) -> String { ErrorReason.text(error) }
}
