import Foundation
import NIOSSL
import SwiftASN1
public import WorkspaceCore
import X509

/// Certificate and key of a server that speaks https.
public struct TLSIdentity: Sendable {
    private let certificates: [NIOSSLCertificate]
    private let key: NIOSSLPrivateKey
    /// Whether no authority signed the certificate.
    let isSelfSigned: Bool

    /// Reads PEM files.
    ///
    /// - Parameters:
    ///   - certificate: the certificate of the server, and those between it and a known authority after it.
    ///   - key: its private key, without a password.
    /// - Throws: `WorkspaceError` when a file cannot be used, or the key is not that of the certificate.
    public init(certificate: String, key: String) throws(WorkspaceError) {
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(certificate)
            guard let first = certificates.first else {
                throw WorkspaceError(.tls, "\(certificate) has no certificate in it")
            }
            let read = try Certificate(derEncoded: first.toDERBytes())
            isSelfSigned = read.issuer == read.subject
        } catch let error as WorkspaceError {
            throw error
        } catch {
            throw WorkspaceError(
                .tls,
                "the certificate \(certificate) cannot be used: "
                    + (SystemReason.reading(certificate)
                        ?? "the file has no certificate in PEM form, which begins with -----BEGIN CERTIFICATE-----"))
        }
        do {
            self.key = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
            throw WorkspaceError(
                .tls,
                "the key \(key) cannot be used: "
                    + (SystemReason.reading(key)
                        ?? "the file has no private key in PEM form and without a password, which begins with -----BEGIN")
            )
        }
        do {
            // Finds a certificate and a key that do not match at the start, instead of at the first connection.
            _ = try NIOSSLContext(configuration: configuration())
        } catch {
            throw WorkspaceError(.tls, "the key in \(key) is not that of the certificate in \(certificate)")
        }
    }

    /// Replaces an earlier certificate and key in new handshakes.
    func override() -> NIOSSLContextConfigurationOverride {
        var override = NIOSSLContextConfigurationOverride()
        override.certificateChain = certificates.map { .certificate($0) }
        override.privateKey = .privateKey(key)
        return override
    }

    func configuration() -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }
}
