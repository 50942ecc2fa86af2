/// Names that scripts know from browsers and Node and that the sandbox does not have, with what to do instead.
package enum AbsentNames {
    private static let reasons: [String: String] = {
        var reasons = [
            "URL": "take the part behind '?' and read it with URLSearchParams", "require": "scripts have no modules",
            "queueMicrotask": "use Promise.resolve().then",
            "Buffer": "use Uint8Array, TextEncoder and btoa",
            "tables": "the bundle has no tables; `tributary plugin deploy --table` adds them",
        ]
        let families = [
            "scripts have no timers": [
                "setTimeout", "setInterval", "setImmediate", "clearTimeout", "clearInterval", "requestAnimationFrame",
            ],
            "scripts have no network": [
                "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "Request", "Response", "Headers",
            ],
            "scripts are not in a web page": ["window", "document", "navigator", "location", "self"],
            "use storage": ["localStorage", "sessionStorage", "indexedDB"],
            "text cannot become code": ["eval", "WebAssembly"],
            "scripts are not in Node": ["process", "module", "exports"],
            "scripts have no threads and do not see the collector": [
                "Atomics", "SharedArrayBuffer", "WeakRef", "FinalizationRegistry", "Worker",
            ],
        ]
        for (reason, names) in families {
            for name in names { reasons[name] = reason }
        }
        return reasons
    }()

    /// All of them.
    package static var all: Set<String> { Set(reasons.keys) }

    /// The addition to the message of an exception that misses one of the names; otherwise empty.
    static func explanation(of message: String) -> String {
        guard message.hasPrefix(missing), let reason = reasons[String(message.dropFirst(missing.count))] else {
            return ""
        }
        return " (\(reason))"
    }

    private static let missing = "ReferenceError: Can't find variable: "
}
