import TributaryJSON
import TributaryJournal

/// The file in which a lane keeps what it knows of its server. It is replaced as a whole; without it delivery begins
/// as if nothing had ever failed.
struct RetryStateFile: Sendable {
    let path: String
    let files: any FileSystem

    func load() -> RetryState {
        guard let bytes = try? read(), let json = try? JSON.parse(bytes), json["version"]?.intValue == 1 else {
            return RetryState()
        }
        return RetryState(json: json)
    }

    func store(_ state: RetryState) throws(JournalError) {
        let newPath = path + ".new"
        let descriptor = try files.openFile(newPath, .replace)
        do {
            defer { files.closeFile(descriptor) }
            try files.writeFile(descriptor, state.json.encoded(), at: 0)
        }
        try files.moveFile(newPath, to: path)
    }

    private func read() throws(JournalError) -> [UInt8] {
        let descriptor = try files.openFile(path, .read)
        defer { files.closeFile(descriptor) }
        return try files.readFile(descriptor, at: 0, count: Limits.retryStateBytes)
    }
}
