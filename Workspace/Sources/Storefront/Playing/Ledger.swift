import Foundation

/// A file with the message id of every event after its call has returned, one a line.
///
/// Each line is one `write` of its own, so the file survives the death of the process as exactly as the events must.
struct Ledger {
    private let file: FileHandle

    /// Appends to what an earlier run wrote.
    init(path: String) throws(InputError) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw InputError(file: path, line: nil, reason: String(cString: strerror(errno)))
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func note(_ messageId: String) throws { try file.write(contentsOf: Data((messageId + "\n").utf8)) }
}
