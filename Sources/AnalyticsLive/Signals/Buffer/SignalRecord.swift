import TributaryJSON

/// A signal that is being processed, in all the forms that its receivers need.
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
    /// - Throws: the error of the signal's type when it refuses the data.
    func with(data: JSON) throws -> SignalRecord {
        var json = json
        json["data"] = data
        return try SignalRecord(type(of: signal).read(json), json)
    }
}

extension RawSignal {
    fileprivate static func read(_ json: JSON) throws -> any RawSignal { try json.decode(Self.self) }
}
