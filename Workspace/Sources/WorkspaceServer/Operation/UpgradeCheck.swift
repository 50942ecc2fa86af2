import Foundation
public import TributaryJSON
public import WorkspaceCore

/// Compares the formats of a data folder with the formats that this program reads and writes. It changes nothing.
public struct UpgradeCheck: Sendable, Equatable {
    /// One kind of file in the folder.
    public struct Part: Sendable, Equatable {
        /// The name for people, such as `workspace.sqlite`.
        public let name: String
        /// The formats that were found, in ascending order. A file that is not filled yet has none.
        public let formats: [Int]
        /// The formats that this program reads. It writes the newest of them.
        public let readable: ClosedRange<Int>

        package init(name: String, formats: some Sequence<Int>, readable: ClosedRange<Int>) {
            self.name = name
            self.formats = Set(formats).subtracting([0]).sorted()
            self.readable = readable
        }

        /// Why this program cannot use the files; nil when it can.
        package var refusal: String? {
            guard let found = formats.first(where: { !readable.contains($0) }) else { return nil }
            guard found < readable.lowerBound else { return "a newer version wrote \(name), format \(found)" }
            return "\(name) has format \(found), which is too old. Write its events to a file with `tributary export` "
                + "of the version that made it, and send them to a new data folder with `tributary import`"
        }

        /// Whether the first start brings files up to date.
        var isOlder: Bool { formats.contains { $0 < readable.upperBound } }
    }

    /// What was found, a part after the other.
    public let parts: [Part]

    init(_ parts: [Part]) { self.parts = parts }

    /// Looks at a data folder. A workspace may run in it.
    /// - Parameter path: the folder.
    /// - Throws: `WorkspaceError` when it is no data folder, or when a file in it cannot be read.
    public init(of path: String) throws(WorkspaceError) {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        let contents = FolderContents(of: path)
        guard contents.isDataFolder else { throw WorkspaceError(.dataFolder, "\(path) is no data folder") }
        if let unlisted = contents.unlisted { throw WorkspaceError(.dataFolder, unlisted) }
        try contents.checkStart()
        var days: [Int] = []
        for day in contents.days { days.append(try Self.format(ofDatabase: "\(path)/days/\(day).sqlite")) }
        parts = [
            Part(
                name: "workspace.sqlite", formats: [try Self.format(ofDatabase: path + "/workspace.sqlite")],
                readable: Schema.history.readable),
            Part(name: "days", formats: days, readable: DaySchema.version...DaySchema.version),
            Part(name: "message ids", formats: try Self.formats(ofMessages: path + "/messages"), readable: 1...1),
            Part(name: "journal", formats: try Self.formats(ofJournal: path + "/journal"), readable: 1...1),
        ]
    }

    /// The reasons why this program cannot use the folder.
    public var refusals: [String] { parts.compactMap(\.refusal) }

    /// Whether this program can use the folder.
    public var isReadable: Bool { refusals.isEmpty }

    /// Whether the first start of this program gives files a newer format. Programs that do not know it refuse the folder
    /// from then on.
    public var changesFormat: Bool { isReadable && parts.contains(where: \.isOlder) }

    /// The result as JSON, for scripts.
    public var json: JSON {
        let parts = self.parts.map { part -> JSON in
            [
                "name": .string(part.name), "formats": .numbers(part.formats),
                "oldestRead": .number(part.readable.lowerBound), "written": .number(part.readable.upperBound),
            ]
        }
        return [
            "readable": .bool(isReadable), "changesFormat": .bool(changesFormat), "refusals": .strings(refusals),
            "parts": .array(parts),
        ]
    }

    private static func format(ofDatabase file: String) throws(WorkspaceError) -> Int {
        switch DatabaseState(of: file, isQuick: true) {
        case .sound(let version): return version
        case .damaged(let reason), .unreadable(let reason):
            throw WorkspaceError(.dataFolder, "\(file) cannot be read: \(reason); see `tributary doctor`")
        }
    }

    /// The formats of the segments. Each version of the journal begins them with the same bytes.
    private static func formats(ofJournal folder: String) throws(WorkspaceError) -> [Int] {
        try formats(in: folder, ending: ".tjl", headBytes: 10) { head in
            guard head.starts(with: Array("TJOURNAL".utf8)) else { return nil }
            return Int(head[8]) | Int(head[9]) << 8
        }
    }

    /// The formats of the files of message ids: two digits at the end of their first 8 bytes.
    private static func formats(ofMessages folder: String) throws(WorkspaceError) -> [Int] {
        try formats(in: folder, ending: ".ids", headBytes: 8) { head in
            guard head.starts(with: Array("TRBIDS".utf8)) else { return nil }
            return Int(String(decoding: head[6...], as: UTF8.self))
        }
    }

    /// - Parameter format: the format in the head of a file; nil when the file has no head yet, or a damaged one.
    private static func formats(
        in folder: String, ending: String, headBytes: Int, _ format: ([UInt8]) -> Int?
    ) throws(WorkspaceError) -> [Int] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        var formats: [Int] = []
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(ending) {
                guard let head = try ByteFile(path: "\(folder)/\(name)").bytes(at: 0, count: headBytes) else {
                    continue
                }
                if let found = format(head) { formats.append(found) }
            }
        } catch {
            throw WorkspaceError(.dataFolder, "\(folder) cannot be read: \(SystemReason.text(error))")
        }
        return formats
    }
}
