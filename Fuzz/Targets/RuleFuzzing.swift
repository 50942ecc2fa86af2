import TributaryJSON
import TributaryRuleCompiler
import TributaryRules

/// Any bytes are a program or an error. A program comes out of its JSON as it went in, and each evaluation ends. Any text is a
/// script that becomes data, or has problems with places in it.
enum RuleFuzzing {
    static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let program = try? RuleProgram(text: text) { check(program) }
        let compilation = RuleCompiler.compile(text)
        require(compilation.isData == compilation.problems.isEmpty, "it has no reason")
        for problem in compilation.problems {
            require(problem.line >= 1 && problem.column >= 1, "the problem is in no line: \(problem)")
        }
        if let program = compilation.program { check(program) }
        _ = RuleBundle.isFaithful(text)
    }

    private static func check(_ program: RuleProgram) {
        let again = try? RuleProgram(text: program.json.description)
        require(again == program, "it comes out different")
        let parts = RuleProgram.parts(of: program.line + "code")
        require(parts.data.flatMap { try? RuleProgram(text: $0) } == program && parts.script == "code", "its line is another one")
        let event: JSONObject = ["type": "track", "event": "E", "properties": ["a": 1, "b": ["x", 2.5]]]
        for (number, function) in program.functions.enumerated() {
            let run = RuleRun(program) { _, _ in }
            let arguments = Array(repeating: RuleValue.object(RuleObject(event)), count: function.parameters)
            guard let value = try? run.call(number, arguments) else { continue }
            _ = try? RuleOutput(isExact: true).json(value)
        }
    }
}
