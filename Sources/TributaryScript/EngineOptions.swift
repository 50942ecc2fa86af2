#if canImport(CTributaryJavaScriptCore)
import CTributaryJavaScriptCore
import Foundation

/// Settings of JavaScriptCore for the whole process. They must be made before its first context.
enum EngineOptions {
    /// True when the options were set: scripts are interpreted, and the host keeps SIGSEGV and SIGBUS.
    ///
    /// False when other code of this process used JavaScriptCore first. Its settings are then read-only, and an attempt
    /// to change them would end the process. Compiled loops can then not be stopped on every thread, because the engine
    /// interrupts them with a signal that the threads of Dispatch block.
    static let applied: Bool = {
        guard let setBoolean = EngineSymbols.setBooleanOption, isConfigurable else { return false }
        func switchOff(_ options: [String]) -> Bool { options.allSatisfy { setBoolean($0, 0) != 0 } }
        for (option, value) in unwinding { _ = EngineSymbols.setUnsignedOption?(option, value) }
        let isInterpreted = switchOff(compilers) || switchOff(["useJIT"])
        return isInterpreted && switchOff(["useWasm"]) && setBoolean("usePollingTraps", 1) != 0
    }()

    /// A script may catch the exception of a guard in each of its calls. The exception is then thrown once for each open
    /// call. With the engine's own values, such a stack needs a second to unwind.
    ///
    /// Other systems have stacks of this size, too. The list of calls that the engine adds to each exception, besides the
    /// list of the error, is only for its debugger.
    private static let unwinding: [(String, UInt32)] = [
        ("maxPerThreadStackUsage", 1 << 20), ("exceptionStackTraceLimit", 1),
    ]

    /// All compilers for scripts and regular expressions.
    ///
    /// This does not include `useJIT`, which does more than its name says. Without it, the engine assumes a very small
    /// machine: it returns each freed page to the system at once, makes only full collections, and uses a slower
    /// allocator. That made an event cost three times as much. When the system does not allow memory that is writable
    /// and executable, the engine switches `useJIT` off by itself.
    private static let compilers = ["useBaselineJIT", "useDFGJIT", "useFTLJIT", "useDOMJIT", "useRegExpJIT"]

    /// Whether the page of settings is still writable.
    private static var isConfigurable: Bool {
        guard let page = EngineSymbols.configuration else { return false }
        return isWritable(UInt(bitPattern: page), maps: mappings())
    }

    /// Reads the system's list of mappings until nothing more comes, because the system says that the file is empty and
    /// returns it in pieces.
    private static func mappings() -> String {
        let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &piece, piece.count), count > 0 { text += piece[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether an address is writable, according to the system's list of mappings.
    static func isWritable(_ address: UInt, maps: String) -> Bool {
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 2)
            guard fields.count >= 2 else { continue }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] <= address, address < bounds[1] else { continue }
            return fields[1].dropFirst().first == "w"
        }
        return false
    }
}
#endif
