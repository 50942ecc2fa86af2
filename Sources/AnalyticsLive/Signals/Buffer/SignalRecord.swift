import TributaryJSON

/// A signal that is being processed, in all the forms in which somebody wants it.
struct SignalRecord: Sendable {
    let signal: any RawSignal
    let json: JSON
    /// The same on one line.
    let text: String

    /// - Throws: `JSONError` for a signal that has no JSON form, or a larger one than is taken.
    init(_ signal: any RawSignal) throws {
        self.signal = signal
        json = try signal.json()
        let bytes = json.encoded()
        guard bytes.count <= SignalLimits.signalBytes else {
            throw JSONError(.tooLarge, "\(bytes.count) bytes, of which \(SignalLimits.signalBytes) are taken")
        }
        text = String(decoding: bytes, as: UTF8.self)
    }
}
