import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// The configuration of a workspace, as files that can be read, compared and kept in version control.
///
/// A folder has one file for everything, `workspace.json`, and beside it one for the live plugins of each source.
struct WorkspaceConfig: Equatable {
    static let fileName = "workspace.json"
    private static let version = 1

    /// By write key.
    var sources: [SourceConfig]

    init(sources: [SourceConfig]) { self.sources = sources.sorted { $0.writeKey < $1.writeKey } }

    /// Reads a folder.
    init(folder: String) throws {
        let folder = URL(fileURLWithPath: folder)
        let json = try InputFile.json(folder.appendingPathComponent(Self.fileName).path)
        guard json["version"]?.intValue == Self.version else {
            throw Failure(
                "\(Self.fileName) is of version \(json["version"] ?? .null); this program reads \(Self.version)")
        }
        guard let sources = json["sources"]?.objectValue else { throw Failure("\(Self.fileName) has no sources") }
        self.init(
            sources: try sources.map { writeKey, json in
                try SourceConfig(writeKey, json) { try InputFile.read(folder.appendingPathComponent($0).path) }
            })
    }

    /// Writes a folder, which is made when it is missing. Files of live plugins that are not in use any more are
    /// deleted.
    ///
    /// Settings of destinations may hold passwords, so only the owner can read the file that has them.
    func write(to path: String) throws {
        let folder = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for source in sources {
                try Self.write(source.plugins.forAll, to: folder.appendingPathComponent(source.pluginsFile))
                try Self.write(source.plugins.staged?.bundle, to: folder.appendingPathComponent(source.stagedFile))
            }
        } catch {
            throw Failure("\(path) cannot be written: \(ErrorReason.text(error))")
        }
        try OutputFile.writeSecret(text, to: folder.appendingPathComponent(Self.fileName).path)
    }

    private var text: Data { Data((json.prettyPrint() + "\n").utf8) }

    /// The files of a folder that `write` would change or delete.
    func losses(in path: String) throws(Failure) -> [String] {
        var wanted: [(name: String, content: Data?)] = [(Self.fileName, text)]
        for source in sources {
            wanted.append((source.pluginsFile, source.plugins.forAll?.text))
            wanted.append((source.stagedFile, source.plugins.staged?.bundle.text))
        }
        var losses: [String] = []
        for (name, content) in wanted {
            let file = URL(fileURLWithPath: path).appendingPathComponent(name).path
            if InputFile.isRegular(file), try InputFile.read(file) != content { losses.append(file) }
        }
        return losses
    }

    private static func write(_ bundle: PluginsConfig.Bundle?, to file: URL) throws {
        if let bundle {
            try bundle.text.write(to: file, options: .atomic)
        } else if FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }

    private var json: JSON {
        let sources = JSONObject(members: self.sources.map { ($0.writeKey, $0.json) })
        return ["version": .number(Self.version), "sources": .object(sources)]
    }
}
