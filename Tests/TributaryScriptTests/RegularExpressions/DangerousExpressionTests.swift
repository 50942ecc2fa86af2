import Foundation
import Testing

@testable import TributaryScript

#if canImport(CTributaryJavaScriptCore) || canImport(JavaScriptCore)
/// 480 dangerous expressions by chance. The engine's own limit is off, so nothing else would stop them.
@Suite(.serialized, .timeLimit(.minutes(30))) struct DangerousExpressionTests {
    private static func expressions(_ seed: UInt64) -> [DangerousExpression] {
        var random = ExpressionChance(seed: seed &+ 4_711)
        return (0..<20).map { _ in DangerousExpression(&random) }
    }

    private static func engine(_ seconds: Double) throws -> ScriptEngine {
        try ScriptEngine(budget: ScriptBudget(seconds: seconds), census: ScriptCensus(), canStop: false)
    }

    /// How scripts use an expression. The text is `t`.
    private static let uses = [
        "R.test(t)", "t.replace(R, '')", "t.match(R)", "t.split(R)", "t.search(R)", "R.exec(t)",
        "[...t.matchAll(new RegExp(R, [...new Set(R.flags + 'g')].join('')))]",
    ]

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// A literal, or what makes the expression from texts.
    private static func source(_ pattern: String, _ flags: String, isLiteral: Bool) throws -> String {
        isLiteral ? "/\(pattern)/\(flags)" : "new RegExp(\(try quoted(pattern)), \"\(flags)\")"
    }

    @Test(
        "A dangerous expression is refused for the text on which it takes long, or ends with the budget",
        arguments: 0..<24)
    func stopped(seed: UInt64) throws {
        let engine = try Self.engine(0.05)
        for (index, expression) in Self.expressions(seed).enumerated() {
            let source = try Self.source(expression.pattern, expression.flags, isLiteral: index % 2 == 0)
            let use = Self.uses[(Int(seed) + index) % Self.uses.count].replacing("R.", with: "(\(source)).").replacing(
                "(R", with: "((\(source))")
            let text =
                "\(try Self.quoted(expression.prefix)) + \(try Self.quoted(expression.pump)).repeat(\(expression.turns)) + '!'"
            let error = #expect(throws: ScriptError.self, "\(expression): \(use)") {
                try engine.evaluate("(t => \(use))(\(text))", name: "t.js")
            }
            guard let error else { continue }
            #expect(
                error.reason == .timeExceeded || error.message.contains("RangeError: /"),
                "\(expression): \(error.message)")
            #expect(engine.state == .ready)
        }
        engine.close()
    }

    @Test(
        "A dangerous expression matches ordinary texts, and a harmless one of the same parts long texts",
        arguments: 0..<24)
    func harmless(seed: UInt64) throws {
        let engine = try Self.engine(10)
        for (index, expression) in Self.expressions(seed).enumerated() {
            let tests = [(expression.pattern, expression.match), expression.harmless]
            for (pattern, text) in tests {
                let source = try Self.source(pattern, expression.flags, isLiteral: index % 2 == 0)
                let result = try engine.evaluate("(\(source)).test(\(try Self.quoted(text)))", name: "t.js")
                #expect(result == .bool(true), "/\(pattern)/\(expression.flags) on \(text.prefix(40))")
            }
        }
        engine.close()
    }

    @Test(
        "The expressions are dangerous: a matcher that goes back takes far more steps on a text that is twice as long")
    func danger() {
        // What this matcher does not know: references, lookbehind, negative lookahead, sets, and the beginning of a line.
        let known = (0..<24).flatMap(Self.expressions).filter { expression in
            !["\\1", "<", "(?!"].contains { expression.pattern.contains($0) }
                && !(expression.pattern.hasPrefix("^") && expression.flags.contains("m"))
                && !expression.flags.contains("v")
        }
        #expect(known.count > 200)
        for expression in known {
            guard let node = ExpressionParser.node(of: expression.pattern, flags: expression.flags) else {
                Issue.record("\(expression) was not read")
                continue
            }
            func steps(_ turns: Int) -> Double {
                let text = expression.attack(turns)
                let isUnicode = expression.flags.contains("u") || expression.flags.contains("v")
                var matcher = BacktrackingMatcher(
                    text: isUnicode ? text.unicodeScalars.map(\.value) : text.utf16.map(UInt32.init))
                matcher.search(node)
                return Double(matcher.steps)
            }
            let (few, many) = (expression.isExponential ? (6, 12) : (20, 40))
            // The matcher gives up after 200,000.
            let least = (expression.isExponential ? 8 : 3) * steps(few)
            #expect(steps(many) >= min(200_000, least), "\(expression)")
        }
    }
}
#endif
