import TributaryScript

/// Any text can be given guards, and the engine takes it with guards whenever it takes it without.
enum GuardFuzzing {
    // libFuzzer gives the inputs one after the other, on one thread.
    nonisolated(unsafe) private static var engine = try? ScriptEngine()
    nonisolated(unsafe) private static var inputs = 0

    static func run(_ bytes: [UInt8]) {
        inputs += 1
        if inputs % 10_000 == 0 {
            engine?.close()
            engine = try? ScriptEngine()
        }
        guard let engine else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        // Read by the engine and, as long as the brackets match, not run.
        for source in [
            "(function () {\n" + text + "\n})", "(function* () {\n" + text + "\n})", "class A {\n" + text + "\n}",
        ] {
            try? engine.run("if (0) {" + source + "}", name: "fuzz.js", seconds: 0.05)
            require(engine.unguardedScripts.isEmpty, "\(engine.unguardedScripts)")
        }
        if engine.state != .ready { Self.engine = try? ScriptEngine() }
    }
}
