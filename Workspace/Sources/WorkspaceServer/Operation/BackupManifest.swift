import Crypto
import Foundation
import TributaryJSON
import TributaryJournal
import WorkspaceCore

/// The list of a backup's files, so that changes to the backup can be found.
struct BackupManifest {
    struct File: Equatable, Codable {
        let path: String
        let bytes: Int
        let sha256: String

        var isInFolder: Bool { !path.hasPrefix("/") && !path.split(separator: "/").contains("..") }
    }

    let files: [File]
    /// The revisions of the days that were copied as a whole; a later backup may take these days from this one.
    var days: [String: String] = [:]

    /// The file of that path, if there is one.
    func file(_ path: String) -> File? { files.first { $0.path == path } }

    /// Looks at the files of a folder.
    /// - Parameter known: files that were taken from another backup, by their paths; they are not read.
    init(of folder: String, known: [String: File] = [:]) throws {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        files = try names.compactMap { name in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
            guard !isFolder.boolValue, name != WorkspaceBackup.manifestName else { return nil }
            return try known[name] ?? Self.file(name, in: folder)
        }
    }

    /// Reads the manifest of a backup.
    init(read folder: String) throws {
        guard let bytes = FileManager.default.contents(atPath: folder + "/" + WorkspaceBackup.manifestName),
            let json = try? JSON.parse([UInt8](bytes)), let version = json["version"]?.intValue,
            let files = json["files"], files.elements != nil
        else { throw WorkspaceError(.dataFolder, "\(folder) is no backup: it has no \(WorkspaceBackup.manifestName)") }
        guard version <= WorkspaceBackup.version else {
            throw WorkspaceError(.newerDataFolder, "a newer version made the backup \(folder)")
        }
        guard let files: [File] = files.codableValue(), files.allSatisfy(\.isInFolder) else {
            throw WorkspaceError(.dataFolder, "the list of files of the backup \(folder) is damaged")
        }
        self.files = files
        for (day, text) in json["days"]?.objectValue ?? [:] {
            if let text = text.stringValue { days[day] = text }
        }
    }

    func write(to folder: String, at now: Date) throws -> WorkspaceBackup.Summary {
        let json: JSON = [
            "version": .number(WorkspaceBackup.version), "madeAt": .string(ISO8601.string(date: now)),
            "files": try JSON(with: files),
            "days": .object(
                days.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = .string($1.value) }),
        ]
        let path = folder + "/" + WorkspaceBackup.manifestName
        try Data(json.encoded()).write(to: URL(fileURLWithPath: path))
        for file in files { try AtomicFolder.sync(folder + "/" + file.path) }
        try AtomicFolder.sync(path)
        return try summary(of: folder)
    }

    func summary(of folder: String) throws -> WorkspaceBackup.Summary {
        WorkspaceBackup.Summary(
            days: files.filter { $0.path.hasPrefix("days/") }.count,
            waitingRequests: try Journal.survey(folder + "/journal").records,
            bytes: files.reduce(0) { $0 + $1.bytes })
    }

    /// The first file that differs from the manifest.
    func difference(from copy: BackupManifest) -> String? {
        let found = Dictionary(copy.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        guard let wrong = files.first(where: { found[$0.path] != $0 }) else { return nil }
        return "\(wrong.path) is not as it was"
    }

    private static func file(_ name: String, in folder: String) throws -> File {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder + "/" + name))
        defer { try? handle.close() }
        var (hash, bytes) = (SHA256(), 0)
        while let part = try handle.read(upToCount: 1 << 20), !part.isEmpty {
            hash.update(data: part)
            bytes += part.count
        }
        return File(path: name, bytes: bytes, sha256: hash.finalize().hexadecimal)
    }
}
