import ArgumentParser
import Crypto
import Foundation
import TributaryJSON
import WorkspaceCore

/// Commands for the log of deployments.
struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Checks the log of deployments, in which every version of the live plugins stands.",
        subcommands: [LogVerify.self])
}

/// Checks the log as an auditor.
struct LogVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Checks that the log of deployments is whole, and that it only grew since the last check.",
        discussion: """
            Devices whose app demands the log (LivePlugins(trust:)) run only versions that stand in it. This command needs no \
            token: it reads what devices read. Run it regularly with --head, on a machine that does not belong to the \
            workspace. It exits with 1 when the log does not continue the one of the last check, when its root is not that of \
            its versions, or, with --bundles, when a bundle is not the one in the log.
            """)

    @OptionGroup var options: SourceOptions

    @Option(
        help: "The file with the head of the last check. It is made when it is missing, and replaced when all is well.",
        completion: .file())
    var head: String?

    @Flag(help: "Also download every bundle and compare its SHA-256.")
    var bundles = false

    @Flag(help: "Write the result as JSON.")
    var json = false

    func run() async throws {
        let client = try AdministrationClient(options.server).below("v1/projects", named: options.writeKey)
        let log = try PublishedLog(try await client.get("live-plugins/log"))
        let earlier = try head.flatMap { file throws(Failure) in try LogFileHead(reading: file) }
        if let earlier { try log.checkThatItContinues(earlier) }
        if bundles {
            for entry in log.entries { try entry.check(try await client.data("live-plugins/\(entry.version).js")) }
        }
        if let head { try OutputFile.writeSecret(Data((log.head.description + "\n").utf8), to: head) }
        if json { return print(log.head) }
        let growth =
            earlier.map {
                $0.size == log.size ? ", as before" : "; it continues the \($0.size) versions of the last check"
            }
        print("the log has \(log.size) versions, root \(log.root)\(growth ?? "")")
        if bundles { print("all \(log.size) bundles are those of the log") }
    }
}

/// The log as the server publishes it, with the root that its versions have.
struct PublishedLog {
    let entries: [BundleLog.Entry]
    let root: String
    private let log: BundleLog

    var size: Int { log.size }
    var head: JSON { ["size": .number(size), "root": .string(root)] }

    /// - Throws: a failure when the server's root is not that of its versions.
    init(_ answer: JSON) throws(Failure) {
        guard let size = answer["size"]?.intValue, let root = answer["root"]?.stringValue,
            let elements = answer["entries"]?.elements
        else { throw Failure("the server's answer is no log of deployments; an older server has none") }
        var entries: [BundleLog.Entry] = []
        for element in elements {
            guard let version = element["version"]?.intValue, let sha256 = element["sha256"]?.stringValue else {
                throw Failure("the log has an entry without a version or a SHA-256")
            }
            entries.append(BundleLog.Entry(version: Int64(version), sha256: sha256))
        }
        guard let log = BundleLog(entries), log.size == size else {
            throw Failure("versions are missing in the log: it names \(size), and lists \(entries.count)")
        }
        guard log.root() == root else {
            throw Failure("the log's root is \(root), and that of its versions is \(log.root())")
        }
        (self.entries, self.root, self.log) = (entries, root, log)
    }

    /// - Throws: a failure when the log does not begin with the versions of an earlier one.
    func checkThatItContinues(_ earlier: LogFileHead) throws(Failure) {
        guard earlier.size <= size else {
            throw Failure("the log has \(size) versions, and had \(earlier.size) at the last check: it was cut off")
        }
        let root = log.root(size: earlier.size)
        guard root == earlier.root else {
            throw Failure(
                "the first \(earlier.size) versions of the log are not those of the last check: the root was \(earlier.root), "
                    + "and is \(root) now")
        }
    }
}

extension BundleLog.Entry {
    /// - Throws: a failure when the bytes are not those of the entry.
    fileprivate func check(_ bundle: Data) throws(Failure) {
        let found = SHA256.hash(data: bundle).hexadecimal
        guard found == sha256 else {
            throw Failure("the bundle of version \(version) has the SHA-256 \(found), and the log says \(sha256)")
        }
    }
}

/// The head of a log in a file.
struct LogFileHead: Equatable {
    let size: Int
    let root: String

    /// - Returns: nil when there is no file.
    init?(reading file: String) throws(Failure) {
        guard FileManager.default.fileExists(atPath: file) else { return nil }
        let bytes = Array(try InputFile.read(file))
        guard let json = try? JSON.parse(bytes), let size = json["size"]?.intValue,
            let root = json["root"]?.stringValue
        else { throw Failure("\(file.printable) is not the head of a log, as this command writes it") }
        (self.size, self.root) = (size, root)
    }
}
