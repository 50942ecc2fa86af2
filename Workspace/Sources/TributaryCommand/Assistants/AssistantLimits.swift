/// Limits of the server for assistants.
enum AssistantLimits {
    /// Bytes of a line of the assistant. A bundle has at most 1 MB, and JSON may spell it longer.
    static let lineBytes = 8 << 20
    /// Bytes of an answer of the API; an assistant has no use for more.
    static let answerBytes = 4 << 20
    /// Calls of tools at the same time; the next one waits.
    static let calls = 8
    /// Time for the calls that are not finished when the assistant ends.
    static let patience: Duration = .seconds(5)
    /// Milliseconds for which a client may keep the list of tools.
    static let listMilliseconds = 3_600_000
}
