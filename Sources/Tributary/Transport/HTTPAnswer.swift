/// An answer while it arrives: its head line by line, its body in pieces.
struct HTTPAnswer {
    private let limit: TransportRequest.AnswerLimit
    private var status: Int?
    private var fields: [(name: String, value: String)] = []
    private var body: [UInt8] = []
    private var headBytes = 0
    /// Whether the line after the last field has come.
    private var isHeadWhole = false
    /// Whether the body is longer than the limit.
    private var isFull = false
    private var isHeadTooLarge = false

    init(limit: TransportRequest.AnswerLimit) { self.limit = limit }

    /// Takes a line of the head. Interim answers (1xx) may come before the final one.
    ///
    /// - Returns: whether more is needed.
    mutating func takeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        headBytes += bytes.count
        guard headBytes <= Limits.answerHeadBytes else {
            isHeadTooLarge = true
            return false
        }
        // Fields after the body are ignored.
        guard !isHeadWhole else { return true }
        let line = Self.trimmed(bytes)
        if line.starts(with: "HTTP/".utf8) {
            status = Self.status(line)
            fields = []
        } else if line.isEmpty {
            isHeadWhole = status.map { $0 >= 200 } ?? false
        } else {
            takeField(line, isContinued: bytes.first == UInt8(ascii: " ") || bytes.first == UInt8(ascii: "\t"))
        }
        return true
    }

    /// - Returns: whether more is needed.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let room = limit.bytes - body.count
        body.append(contentsOf: bytes.prefix(room))
        isFull = bytes.count > room
        return !isFull
    }

    /// The result; nil when the response is not an answer.
    ///
    /// - Parameter isWhole: whether the answer came to its own end.
    func result(isWhole: Bool) -> Result<TransportResponse, TransportError>? {
        if isHeadTooLarge {
            return .failure(TransportError("the head of the answer has more than \(Limits.answerHeadBytes) bytes"))
        }
        guard let status, isHeadWhole, isWhole || isFull else { return nil }
        if isFull, case .whole(let bytes) = limit {
            return .failure(TransportError("the answer has more than \(bytes) bytes"))
        }
        // A field that appears several times is a list (RFC 9110, section 5.3).
        let headers = Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        return .success(TransportResponse(status: status, headers: headers, body: body))
    }

    private mutating func takeField(_ line: UnsafeRawBufferPointer.SubSequence, isContinued: Bool) {
        if isContinued {
            guard let last = fields.indices.last else { return }
            fields[last].value += " " + String(decoding: line, as: UTF8.self)
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[line.index(after: colon)...]))
            fields.append((name, String(decoding: value, as: UTF8.self)))
        }
    }

    private static func status(_ line: UnsafeRawBufferPointer.SubSequence) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer.SubSequence {
        let isBlank: (UInt8) -> Bool = { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return bytes[bytes.endIndex...] }
        return bytes[first...last]
    }
}
