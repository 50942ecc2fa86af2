import Foundation
import TributaryJSON

/// The files of a new workspace, and the next steps of a person.
struct SetupFiles {
    private let setup: Setup
    private let config: String
    private let tokenFile: String?
    private let writeKey: String?

    /// The place of a key or a token that is not made yet.
    private static let unmade = "WRITE-KEY"

    /// - Parameter config: the configuration file.
    /// - Throws: `Failure` when `serve` could not read the configuration.
    init(_ setup: Setup, config: String) throws(Failure) {
        guard !config.isEmpty else { throw Failure("a file is named by an empty text; give its path") }
        let file = URL(fileURLWithPath: config).standardizedFileURL
        self.setup = setup
        self.config = file.path
        // A workspace that is there already has its sources and its token.
        tokenFile = setup.hasData ? nil : file.deletingLastPathComponent().appendingPathComponent("admin-token").path
        writeKey = setup.hasData ? nil : Self.random(bytes: 16)
        _ = try ServeValues(document, named: config)
    }

    private var document: JSONObject { setup.document(writeKey: writeKey, tokenFile: tokenFile) }

    /// The files that would be replaced.
    var existing: [String] {
        ([config] + (tokenFile.map { [$0] } ?? [])).filter { FileManager.default.fileExists(atPath: $0) }
    }

    /// The token comes first: a configuration that names a missing file could not be used.
    func write() throws(Failure) {
        if let tokenFile { try OutputFile.writeSecret(Data("\(Self.random(bytes: 32))\n".utf8), to: tokenFile) }
        try OutputFile.writeSecret(Data("\(JSON.object(document).prettyPrint())\n".utf8), to: config)
    }

    /// The files that a run without `--dry-run` writes.
    var plan: String {
        let document = setup.document(writeKey: writeKey.map { _ in Self.unmade }, tokenFile: tokenFile)
        var parts = ["would write \(config):\n\(JSON.object(document).prettyPrint())"]
        if let tokenFile { parts.append("would write \(tokenFile): a new admin token") }
        return (parts + notes + [steps(key: Self.unmade)]).joined(separator: "\n\n")
    }

    /// The written files, and how to go on.
    var report: String {
        let files = [config] + (tokenFile.map { [$0] } ?? [])
        let written = "wrote \(files.joined(separator: " and ")); only you can read \(files.count == 1 ? "it" : "them")"
        return ([written] + notes + [steps(key: writeKey ?? Self.unmade)]).joined(separator: "\n\n")
    }

    private var notes: [String] {
        var notes: [String] = []
        if setup.hasData {
            notes.append(
                "\(setup.data) has the data of a workspace, which keeps its sources and its admin token; `tributary source "
                    + "list` shows the write keys, and `tributary token reset` replaces a lost token")
        }
        if setup.isOpen {
            notes.append(
                "other machines connect over http, so tokens and events can be read on their way; use https, or a proxy "
                    + "that speaks it and the address 127.0.0.1")
        }
        if case .certificate = setup.encryption {
            notes.append("use the name in the certificate where the lines below have \(setup.host)")
        }
        return notes
    }

    private func steps(key: String) -> String {
        let isDevelopment = setup.encryption == .development
        let certificate = Self.quoted(setup.data + "/development-certificate.pem")
        let curl = isDevelopment ? "--cacert \(certificate) " : ""
        var options = "--server \(setup.url)"
        if let tokenFile { options += " --token-file \(Self.quoted(tokenFile))" }
        if isDevelopment { options += " --certificate-authority \(certificate)" }
        return """
            Start the workspace:

                tributary serve --config \(Self.quoted(config))

            Send a first event, and see it:

                curl \(curl)--user \(key): \(setup.url)/v1/track --json '{"userId": "u-1", "event": "Hello"}'
                tributary events \(options)

            In an app\(isDevelopment ? ", on a device that trusts the certificate" : ""):

                import Tributary

                let analytics = Analytics(configuration: Configuration(writeKey: "\(key)")
                    .apiHost("\(setup.url)/v1")
                    .cdnHost("\(setup.url)/v1"))
            """
    }

    /// A word of a shell.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
        return isPlain ? text : "'\(text.replacingOccurrences(of: "'", with: #"'\''"#))'"
    }

    /// Letters and digits for a secret.
    private static func random(bytes: Int) -> String {
        var system = SystemRandomNumberGenerator()
        return (0..<bytes).map { _ in
            let byte = UInt8.random(in: 0...255, using: &system)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
