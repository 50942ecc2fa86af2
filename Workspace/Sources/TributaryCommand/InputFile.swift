import Foundation
import TributaryJSON

/// Reads the file that an argument names.
enum InputFile {
    static func read(_ path: String) throws(Failure) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Failure("\(path) cannot be read: \(error.localizedDescription)")
        }
    }

    static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    static func json(_ path: String) throws(Failure) -> JSON {
        let data = try read(path)
        do {
            // Some programs begin a file with a byte order mark.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            return try JSON.parse([UInt8](data.starts(with: mark) ? data.dropFirst(mark.count) : data))
        } catch {
            throw Failure("\(path) is not JSON: \(error)")
        }
    }
}
