import TributaryJSON

/// A signal that is being processed, in all the forms in which somebody wants it.
struct SignalRecord: Sendable {
    let signal: any RawSignal
    let json: JSON
    /// The same on one line.
    let text: String

    /// - Throws: `JSONError` for a signal that has no JSON form, or a larger one than is taken.
    init(_ signal: any RawSignal) throws { try self.init(signal, try signal.json()) }

    private init(_ signal: any RawSignal, _ json: JSON) throws {
        self.signal = signal
        self.json = json
        let bytes = json.encoded()
        guard bytes.count <= SignalLimits.signalBytes else {
            throw JSONError(.tooLarge, "\(bytes.count) bytes, of which \(SignalLimits.signalBytes) are taken")
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The signal with other data, in all its forms.
    /// - Throws: what its type says to the data.
    func with(data: JSON) throws -> SignalRecord {
        var json = json
        json["data"] = data
        return try SignalRecord(Self.read(json, as: signal), json)
    }

    private static func read<Signal: RawSignal>(_ json: JSON, as signal: Signal) throws -> any RawSignal {
        try json.decode(Signal.self)
    }
}
