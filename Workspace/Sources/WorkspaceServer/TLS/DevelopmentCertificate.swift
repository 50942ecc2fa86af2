import Crypto
import Foundation
import SwiftASN1
public import WorkspaceCore
import X509

/// A certificate that a workspace makes for itself, for clients that require https while an app is developed.
///
/// No known authority signed it, so the client has to trust its file. The certificate is used until shortly before it
/// expires.
public enum DevelopmentCertificate {
    /// Two PEM files.
    public struct Files: Sendable {
        /// The certificate. Clients have to trust it.
        public let certificate: String
        /// Its key.
        public let key: String
    }

    private static let validity: TimeInterval = 365 * 86_400
    /// A certificate that expires within this time is replaced at the start.
    private static let renewal: TimeInterval = 30 * 86_400

    /// The files of a data folder; made when they are missing, about to end, or for other hosts.
    ///
    /// - Parameters:
    ///   - folder: the data folder; it is made when it is missing.
    ///   - hosts: names and addresses that the certificate is for, besides `localhost`, `127.0.0.1` and `::1`.
    /// - Throws: `WorkspaceError` when they cannot be written.
    public static func files(
        in folder: String, hosts: [String], environment: WorkspaceEnvironment = .system
    ) throws(WorkspaceError) -> Files {
        let files = Files(certificate: folder + "/development-certificate.pem", key: folder + "/development-key.pem")
        let now = Date(timeIntervalSince1970: TimeInterval(environment.now()) / 1000)
        let names = Set(hosts + ["localhost", "127.0.0.1", "::1"]).sorted()
        if isUsable(files, names, now) { return files }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let (certificate, key) = try make(names, now)
            try write(key, to: files.key)
            try write(certificate, to: files.certificate)
            return files
        } catch {
            throw WorkspaceError(
                .tls, "a development certificate cannot be made in \(folder): \(SystemReason.text(error))")
        }
    }

    private static func isUsable(_ files: Files, _ names: [String], _ now: Date) -> Bool {
        // A certificate that cannot be read is made again.
        guard let text = try? String(contentsOfFile: files.certificate, encoding: .utf8),
            FileManager.default.fileExists(atPath: files.key),
            let certificate = try? Certificate(pemEncoded: text),
            let known = try? certificate.extensions.subjectAlternativeNames, let wanted = try? alternatives(names)
        else { return false }
        return Set(known.map(\.description)) == Set(wanted.map(\.description))
            && certificate.notValidAfter > now.addingTimeInterval(renewal)
    }

    private static func make(_ names: [String], _ now: Date) throws -> (certificate: String, key: String) {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("Tributary development") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: .init(key.publicKey),
            notValidBefore: now.addingTimeInterval(-3600), notValidAfter: now.addingTimeInterval(validity),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                KeyUsage(digitalSignature: true, keyCertSign: true)
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(try alternatives(names))
            },
            issuerPrivateKey: .init(key))
        return (try certificate.serializeAsPEM().pemString + "\n", key.pemRepresentation + "\n")
    }

    private static func alternatives(_ names: [String]) throws -> [GeneralName] {
        names.map { name in
            if let bytes = IPAddress.bytes(of: name) {
                return .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
            }
            return .dnsName(name)
        }
    }

    /// Writes a file that only its owner can read, from its first byte on.
    private static func write(_ text: String, to path: String) throws {
        let part = path + ".part"
        // The file of an earlier attempt; if it stays, making the new one fails.
        try? FileManager.default.removeItem(atPath: part)
        guard
            FileManager.default.createFile(
                atPath: part, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        guard rename(part, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
