/// The values of a record of CSV, and where they stand.
struct CSVFields {
    private static let quote = UInt8(ascii: "\"")

    private(set) var values: [[UInt8]] = [[]]
    /// Where each value begins in the text.
    private(set) var starts = [0]
    /// The place of the quote that is still open at the end; nil for none.
    private(set) var openQuote: Int?

    /// - Parameter text: the record, in UTF-8.
    init(_ text: [UInt8]) {
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == Self.quote {
                if openQuote != nil, index + 1 < text.count, text[index + 1] == Self.quote {
                    values[values.count - 1].append(Self.quote)
                    index += 1
                } else {
                    openQuote = openQuote == nil ? index : nil
                }
            } else if byte == UInt8(ascii: ","), openQuote == nil {
                values.append([])
                starts.append(index + 1)
            } else {
                values[values.count - 1].append(byte)
            }
            index += 1
        }
    }

    /// The place in the text of a byte of a value. The quotes around the value and those that are doubled stand only in
    /// the text.
    func place(of offset: Int, in field: Int, _ text: [UInt8]) -> Int {
        var index = starts[field]
        var passed = 0
        var isQuoted = false
        while index < text.count {
            if text[index] == Self.quote, !isQuoted || index + 1 == text.count || text[index + 1] != Self.quote {
                isQuoted.toggle()
                index += 1
                continue
            }
            if passed == offset { break }
            index += text[index] == Self.quote ? 2 : 1
            passed += 1
        }
        return index
    }
}
