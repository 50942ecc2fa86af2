import TributaryJSON
import TributaryJournal

/// The file in which an event queue keeps what it knows of its server. It is replaced as a whole; without it delivery begins
/// as if nothing had ever failed.
struct RetryStateFile: Sendable {
    let path: String
    let files: any FileSystem

    func load() -> RetryState {
        guard let bytes = try? file.read(Limits.retryStateBytes), let json = try? JSON.parse(bytes),
            json["version"]?.intValue == 1
        else { return RetryState() }
        return RetryState(json: json)
    }

    func store(_ state: RetryState) throws(JournalError) { try file.replace(with: state.json.encoded()) }

    private var file: KeptFile { KeptFile(path, files) }
}
