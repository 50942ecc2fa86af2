import TributaryJSON

/// Whatever is read can be written, and comes out the same when it is read again. Beside a value that is known, whatever
/// that is, a text is judged as it is alone.
enum JSONFuzzing {
    static func run(_ bytes: [UInt8]) {
        compare(bytes)
        guard let json = try? JSON.parse(bytes) else { return }
        var written: [UInt8] = []
        json.write(into: &written)
        guard let again = try? JSON.parse(written) else { fatalError("what was written cannot be read") }
        var rewritten: [UInt8] = []
        again.write(into: &rewritten)
        require(written == rewritten, "it comes out different")
        require(read(bytes, like: json) == json, "beside itself it comes out different")
    }

    /// What stands before the first NUL is the known value.
    private static func compare(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0), let known = try? JSON.parse(Array(bytes[..<end])) else { return }
        let text = Array(bytes[(end + 1)...])
        let beside = reading(text, like: known)
        let alone = try? JSON.parse(text)
        require((alone != nil) == (beside != nil), "beside another it is judged differently")
        guard let alone, let beside else { return }
        require(rounded(beside.value) == rounded(alone), "beside another it comes out different")
        require(beside.hasNewNumbers || hasOnlyNumbers(of: known, in: beside.value), "a new number is not told")
    }

    private static func read(_ text: [UInt8], like known: JSON) -> JSON? { reading(text, like: known)?.value }

    private static func reading(_ text: [UInt8], like known: JSON) -> JSONReading? {
        text.withUnsafeBytes { try? JSON.parse($0, like: known) }
    }

    /// With each number as the double that is nearest, because a number of that double may be the known one.
    private static func rounded(_ value: JSON) -> JSON {
        switch value {
        case .number(let number): .string("\(number.double + 0)")
        case .array(let elements): .array(elements.map(rounded))
        case .object(let members): .object(members.reduce(into: JSONObject()) { $0[$1.key] = rounded($1.value) })
        default: value
        }
    }

    /// Whether each number and `null` stands where the known value has it.
    private static func hasOnlyNumbers(of known: JSON?, in value: JSON) -> Bool {
        switch value {
        case .number, .null: known == value
        case .array(let elements): elements.indices.allSatisfy { hasOnlyNumbers(of: known?[$0], in: elements[$0]) }
        case .object(let members): members.allSatisfy { hasOnlyNumbers(of: known?[$0.key], in: $0.value) }
        default: true
        }
    }
}
