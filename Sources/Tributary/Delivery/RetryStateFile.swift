import TributaryJSON
import TributaryJournal

/// The file with the retry state of an event queue. It is replaced as a whole. Without the file, delivery begins as if
/// there had been no failure.
struct RetryStateFile: Sendable {
    let file: KeptFile

    func load() -> RetryState {
        guard let bytes = try? file.read(Limits.retryStateBytes), let json = try? JSON.parse(bytes),
            json["version"]?.intValue == 1
        else { return RetryState() }
        return RetryState(json: json)
    }

    func store(_ state: RetryState) throws(JournalError) { try file.replace(with: state.json.encoded()) }
}
