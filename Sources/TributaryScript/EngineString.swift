#if canImport(CJavaScriptCore)
import CJavaScriptCore
#elseif canImport(JavaScriptCore)
import JavaScriptCore
#endif
#if canImport(CJavaScriptCore) || canImport(JavaScriptCore)
import Foundation

/// Strings on their way into and out of JavaScriptCore; each one that is made here is released here.
enum EngineString {
    /// Lends the engine's form of a text.
    ///
    /// The UTF-8 constructor is the fast one, and keeps ASCII at one byte a character, but ends at the first NUL.
    static func with<Result>(_ text: String, _ body: (JSStringRef?) throws -> Result) rethrows -> Result {
        let string = text.utf8.contains(0) ? fromUTF16(text) : text.withCString(JSStringCreateWithUTF8CString)
        defer { if let string { JSStringRelease(string) } }
        return try body(string)
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
        guard length > 0, let units = JSStringGetCharactersPtr(string) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: units, count: length), as: UTF16.self)
    }
}
#endif
