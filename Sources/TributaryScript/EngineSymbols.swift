#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
import Foundation

/// Functions of JavaScriptCore on Linux that its installed headers do not declare, or declare among those of GLib.
///
/// They are looked up by name, so a library without one of them only lacks that one ability.
enum EngineSymbols {
    typealias ShouldTerminate = @convention(c) (JSContextRef?, UnsafeMutableRawPointer?) -> Bool
    typealias SetTimeLimit =
        @convention(c) (JSContextGroupRef?, Double, ShouldTerminate?, UnsafeMutableRawPointer?) -> Void
    typealias MemoryStatistics = @convention(c) (JSContextRef?) -> JSObjectRef?
    typealias SetBooleanOption = @convention(c) (UnsafePointer<CChar>?, Int32) -> Int32
    typealias SetUnsignedOption = @convention(c) (UnsafePointer<CChar>?, UInt32) -> Int32

    static let setTimeLimit = find("JSContextGroupSetExecutionTimeLimit").map {
        unsafeBitCast($0, to: SetTimeLimit.self)
    }
    static let memoryStatistics = find("JSGetMemoryUsageStatistics").map {
        unsafeBitCast($0, to: MemoryStatistics.self)
    }
    static let setBooleanOption = find("jsc_options_set_boolean").map {
        unsafeBitCast($0, to: SetBooleanOption.self)
    }
    static let setUnsignedOption = find("jsc_options_set_uint").map {
        unsafeBitCast($0, to: SetUnsignedOption.self)
    }
    /// The page of settings that JavaScriptCore makes read-only when its first context is made.
    static var configuration: UnsafeMutableRawPointer? { find("g_config") }

    /// The address of a symbol in JavaScriptCore's library, which is loaded because this library is linked to it.
    private static func find(_ name: String) -> UnsafeMutableRawPointer? {
        guard let library = dlopen("libjavascriptcoregtk-4.1.so.0", RTLD_LAZY | RTLD_NOLOAD) else { return nil }
        defer { dlclose(library) }
        return dlsym(library, name)
    }
}
#endif
