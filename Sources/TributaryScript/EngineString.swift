#if canImport(CJavaScriptCore)
import CJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CJavaScriptCore) || canImport(JavaScriptCore)

/// Strings on their way into and out of JavaScriptCore; each one that is made here is released here.
enum EngineString {
    /// Lends the engine's form of a text that it keeps, such as a script.
    ///
    /// The UTF-8 constructor keeps ASCII at one byte a character, but ends at the first NUL.
    static func with<Result>(_ text: String, _ body: (JSStringRef?) throws -> Result) rethrows -> Result {
        let string = text.utf8.contains(0) ? fromUTF16(text) : text.withCString(JSStringCreateWithUTF8CString)
        defer { if let string { JSStringRelease(string) } }
        return try body(string)
    }

    /// Lends the engine's form of a text that it reads once, such as an event.
    ///
    /// From a certain length on, the UTF-8 constructor takes six times as long as that of wide characters, which take the
    /// engine a little longer to read and twice the memory to keep.
    static func withBrief<Result>(_ text: String, _ body: (JSStringRef?) throws -> Result) rethrows -> Result {
        let isLong = text.utf8.count >= narrowBelow
        let wide = isLong ? text.utf8.withContiguousStorageIfAvailable(fromASCII) ?? nil : nil
        guard let wide else { return try with(text, body) }
        defer { JSStringRelease(wide) }
        return try body(wide)
    }

    private static let narrowBelow = 64

    /// Nil for a text that is not ASCII alone.
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

    /// The text of a string of the engine, which is released. A lone surrogate becomes U+FFFD.
    static func take(_ string: JSStringRef?) -> String? {
        guard let string else { return nil }
        defer { JSStringRelease(string) }
        let length = JSStringGetLength(string)
        guard length > 0 else { return "" }
        return toASCII(string, length) ?? fromUTF8(string, length) ?? fromUTF16(string, length)
    }

    /// Much faster than the engine's way to UTF-8; nil for a text that is not ASCII alone.
    private static func toASCII(_ string: JSStringRef, _ length: Int) -> String? {
        guard let start = JSStringGetCharactersPtr(string) else { return nil }
        let units = UnsafeBufferPointer(start: start, count: length)
        guard units.reduce(0, |) < 0x80 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { bytes in
            for place in 0..<length { bytes[place] = UInt8(truncatingIfNeeded: units[place]) }
            return String(decoding: UnsafeBufferPointer(bytes), as: UTF8.self)
        }
    }

    /// Much faster than by way of UTF-16; nil when there is a lone surrogate, at which the engine ends its text.
    private static func fromUTF8(_ string: JSStringRef, _ length: Int) -> String? {
        let capacity = JSStringGetMaximumUTF8CStringSize(string)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            let written = JSStringGetUTF8CString(string, buffer.baseAddress, capacity)
            guard written > 0 else { return nil }
            // The last byte is the end mark of C; others of its kind belong to the text.
            let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<(written - 1)])
            let isComplete = bytes.count == length || utf16Length(bytes) == length
            return isComplete ? String(decoding: bytes, as: UTF8.self) : nil
        }
    }

    /// One unit for each code point, two for those of four bytes.
    private static func utf16Length(_ bytes: UnsafeRawBufferPointer) -> Int {
        bytes.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) + ($1 >= 0xF0 ? 1 : 0) }
    }

    private static func fromUTF16(_ string: JSStringRef, _ length: Int) -> String? {
        guard let units = JSStringGetCharactersPtr(string) else { return nil }
        return String(decoding: UnsafeBufferPointer(start: units, count: length), as: UTF16.self)
    }
}
#endif
