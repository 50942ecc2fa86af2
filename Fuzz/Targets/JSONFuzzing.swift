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
        let isJSON = (try? JSON.parse(text)) != nil
        require(isJSON == (read(text, like: known) != nil), "beside another it is judged differently")
    }

    private static func read(_ text: [UInt8], like known: JSON) -> JSON? {
        text.withUnsafeBytes { try? JSON.parse($0, like: known) }
    }
}
