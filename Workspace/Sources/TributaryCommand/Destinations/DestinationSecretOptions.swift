import ArgumentParser
import Foundation
import TributaryJSON

/// The secrets that an operator brings: that of a store or a database, or those of a function.
struct DestinationSecretOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the secret access key of a store, or with the password of a database. Without it the environment \
            variable TRIBUTARY_S3_SECRET, TRIBUTARY_POSTGRES_PASSWORD or TRIBUTARY_CLICKHOUSE_PASSWORD is read. For a function \
            it is the name of a secret and its file, token=FILE, and may be repeated; the file - is standard input.
            """,
            valueName: "file"))
    var secretFile: [String] = []

    var isEmpty: Bool { secretFile.isEmpty }

    func validate() throws {
        let inputs = secretFile.filter { $0 == "-" || $0.hasSuffix("=-") }
        if inputs.count > 1 { throw ValidationError("standard input has one secret") }
    }

    /// The secret of a store or a database, if one is given.
    /// - Parameter variable: where it is without a file.
    func secret(variable: String) throws(Failure) -> String? {
        guard secretFile.count <= 1 else { throw Failure("a store or a database has one secret") }
        return try TokenSource.token(file: secretFile.first, variable: variable)
    }

    /// The secrets of a function by name; nil when none is given.
    func named() throws(Failure) -> JSON? {
        try Self.named(secretFile)
    }

    /// The secrets in files by name; nil when there is none.
    static func named(_ files: [String]) throws(Failure) -> JSON? {
        guard !files.isEmpty else { return nil }
        var secrets = JSONObject()
        for text in files {
            let (name, file) = try FunctionOptions.pair(text, option: "--secret-file")
            secrets[name] = .string(try secret(name, file))
        }
        return .object(secrets)
    }

    private static func secret(_ name: String, _ file: String) throws(Failure) -> String {
        let content = file == "-" ? try InputFile.standardInput() : try InputFile.read(file)
        let text = String(decoding: content, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard !text.isEmpty else { throw Failure("the secret \(name.printable) is empty") }
        return text
    }
}
