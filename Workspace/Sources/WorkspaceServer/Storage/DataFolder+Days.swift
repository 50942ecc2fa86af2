import Foundation

extension DataFolder {
    /// The database of a day.
    func path(of day: Day) -> String { "\(daysPath)/\(day).sqlite" }

    /// The database of a day, and the files beside it while it is open or after a crash.
    func paths(of day: Day) -> [String] { Self.paths(ofDatabase: path(of: day)) }

    /// The days that have a file, oldest first.
    func dayFiles() throws -> [Day] { try Self.dayFiles(in: daysPath) }

    static func paths(ofDatabase path: String) -> [String] { [path, path + "-shm", path + "-wal"] }

    static func dayFiles(in folder: String) throws -> [Day] {
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return days(of: try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// The days of files.
    static func days(of names: [String]) -> [Day] {
        names.compactMap { $0.hasSuffix(".sqlite") ? Day($0.dropLast(".sqlite".count)) : nil }.sorted()
    }
}
