#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)

/// Converts strings to and from JavaScriptCore. Each engine string that is made here is released here.
enum EngineString {
    /// Lends the engine's form of a text that the engine keeps, such as a script.
    ///
    /// The UTF-8 constructor keeps ASCII at one byte for each character, but stops at the first NUL.
    static func with<Result>(_ text: String, _ body: (JSStringRef?) throws -> Result) rethrows -> Result {
        let string = text.utf8.contains(0) ? fromUTF16(text) : text.withCString(JSStringCreateWithUTF8CString)
        defer { if let string { JSStringRelease(string) } }
        return try body(string)
    }

    /// Lends the engine's form of a text that the engine reads once, such as an event.
    ///
    /// Above a certain length, the UTF-8 constructor takes six times as long as the constructor for wide characters. The engine
    /// takes a little longer to read wide characters, and twice the memory to keep them.
    static func withBrief<Result>(_ text: String, _ body: (JSStringRef?) throws -> Result) rethrows -> Result {
        let isLong = text.utf8.count >= narrowBelow
        let wide = isLong ? text.utf8.withContiguousStorageIfAvailable(fromASCII) ?? nil : nil
        guard let wide else { return try with(text, body) }
        defer { JSStringRelease(wide) }
        return try body(wide)
    }

    private static let narrowBelow = 64

    /// Nil for a text that is not pure ASCII.
    private static func fromASCII(_ text: UnsafeBufferPointer<UInt8>) -> JSStringRef? {
        guard text.reduce(0, |) < 0x80 else { return nil }
        return withUnsafeTemporaryAllocation(of: JSChar.self, capacity: text.count) { units in
            for place in 0..<text.count { units[place] = JSChar(text[place]) }
            return JSStringCreateWithCharacters(units.baseAddress, units.count)
        }
    }

    private static func fromUTF16(_ text: String) -> JSStringRef? {
        let units = Array(text.utf16)
        return units.withUnsafeBufferPointer { JSStringCreateWithCharacters($0.baseAddress, $0.count) }
    }

    /// The text of an engine string, which is released. A lone surrogate becomes U+FFFD.
    static func take(_ string: JSStringRef?) -> String? {
        guard let string else { return nil }
        defer { JSStringRelease(string) }
        let length = JSStringGetLength(string)
        guard length > 0 else { return "" }
        return toASCII(string, length) ?? fromUTF8(string, length) ?? fromUTF16(string, length)
    }

    /// Much faster than the engine's own conversion to UTF-8; nil for a text that is not pure ASCII.
    private static func toASCII(_ string: JSStringRef, _ length: Int) -> String? {
        guard let start = JSStringGetCharactersPtr(string) else { return nil }
        let units = UnsafeBufferPointer(start: start, count: length)
        guard units.reduce(0, |) < 0x80 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { bytes in
            for place in 0..<length { bytes[place] = UInt8(truncatingIfNeeded: units[place]) }
            return String(decoding: UnsafeBufferPointer(bytes), as: UTF8.self)
        }
    }

    /// Much faster than a conversion through UTF-16; nil when there is a lone surrogate, at which the engine ends its
    /// text.
    private static func fromUTF8(_ string: JSStringRef, _ length: Int) -> String? {
        let capacity = JSStringGetMaximumUTF8CStringSize(string)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            let written = JSStringGetUTF8CString(string, buffer.baseAddress, capacity)
            guard written > 0 else { return nil }
            // The last byte is the end mark of C. Other NULs belong to the text.
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(written - 1)])
            let isComplete = bytes.count == length || utf16Length(bytes) == length
            return isComplete ? String(decoding: bytes, as: UTF8.self) : nil
        }
    }

    /// One unit for each code point, two for code points of four bytes.
    private static func utf16Length(_ bytes: UnsafeRawBufferPointer) -> Int {
        bytes.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) + ($1 >= 0xF0 ? 1 : 0) }
    }

    private static func fromUTF16(_ string: JSStringRef, _ length: Int) -> String? {
        guard let units = JSStringGetCharactersPtr(string) else { return nil }
        return String(decoding: UnsafeBufferPointer(start: units, count: length), as: UTF16.self)
    }
}
#endif
