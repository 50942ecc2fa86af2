import TributaryJSON

/// Whatever is read can be written, and comes out the same when it is read again.
enum JSONFuzzing {
    static func run(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return }
        var written: [UInt8] = []
        json.write(into: &written)
        guard let again = try? JSON.parse(written) else { fatalError("what was written cannot be read") }
        var rewritten: [UInt8] = []
        again.write(into: &rewritten)
        require(written == rewritten, "it comes out different")
    }
}
