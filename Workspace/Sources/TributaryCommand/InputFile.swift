import Foundation

/// Reads the file that an argument names.
enum InputFile {
    static func read(_ path: String) throws(Failure) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Failure("\(path) cannot be read: \(error.localizedDescription)")
        }
    }
}
