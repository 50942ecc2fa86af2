import Foundation
import NIOSSL

/// Certificate and key of a server that speaks https.
public struct TLSIdentity: Sendable {
    private let certificates: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey

    /// Reads PEM files.
    ///
    /// - Parameters:
    ///   - certificate: the certificate of the server, and those between it and a known authority after it.
    ///   - key: its private key, without a password.
    /// - Throws: `WorkspaceError` when a file cannot be used, or the key is not that of the certificate.
    public init(certificate: String, key: String) throws(WorkspaceError) {
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(certificate)
            guard !certificates.isEmpty else { throw WorkspaceError(.tls, "\(certificate) has no certificate in it") }
        } catch let error as WorkspaceError {
            throw error
        } catch {
            throw WorkspaceError(.tls, "the certificate \(certificate) cannot be read: \(error)")
        }
        do {
            self.key = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
            throw WorkspaceError(.tls, "the key \(key) cannot be read: \(error)")
        }
        do {
            // Finds a certificate and a key that do not match at the start, instead of at the first connection.
            _ = try NIOSSLContext(configuration: configuration())
        } catch {
            throw WorkspaceError(.tls, "\(certificate) and \(key) do not belong together: \(error)")
        }
    }

    func configuration() -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
