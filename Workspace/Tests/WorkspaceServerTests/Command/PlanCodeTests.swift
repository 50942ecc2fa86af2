import Foundation
import Testing
import TributaryJSON

@testable import TributaryCommand
@testable import WorkspaceCore

/// The types that a plan becomes, with the real executable. Tests/Server/plan_code_test.py gives them to compilers.
@Suite("Code from a tracking plan", .timeLimit(.minutes(30))) struct PlanCodeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let plan = """
        {"events": [
          {"type": "track", "name": "Order Completed", "description": "The order is paid.", "properties": [
            {"key": "coupon", "type": "string"}, {"key": "total", "type": "number", "required": true, "description": "In euros."},
            {"key": "order_id", "type": "string", "required": true}, {"key": "isGift", "type": "boolean"},
            {"key": "items", "type": "array"}, {"key": "address", "type": "object"}, {"key": "anything"}]},
          {"type": "track", "name": "App Opened"},
          {"type": "track", "name": "Debug", "blocked": true},
          {"type": "identify", "properties": [{"key": "email", "type": "string", "required": true}, {"key": "Plan", "type": "string"}]},
          {"type": "group", "properties": [{"key": "name", "type": "string"}, {"key": "groupId", "type": "string"}]},
          {"type": "screen", "name": "Home", "properties": [{"key": "tab", "type": "number"}]},
          {"type": "screen"},
          {"type": "page", "name": "Prices", "properties": [{"key": "currency", "type": "string"}]},
          {"type": "page"},
          {"type": "alias"}]}
        """

    /// Names that a language has already, that are the same in code, or that could end a text or a comment.
    private static let hostilePlan: JSON = {
        let names = [
            "String", "Analytics", "JSON", "Any", "class", "Type", "CodingKeys", "Tracker", "Object", "Double", "Unit",
            "order completed", "Order-Completed", "ORDER_COMPLETED", "2 for 1", "🍋", "💥", "\u{202E}gnp",
            "\"); exit(1); (\"", "\\(1)", "${1}",
            "a\nb", "*/ x /*", "é", "Заказ оформлен", "注文", "a\u{2028}b", "a\u{0}b", "`", "//", "'", "track",
            "identify", "put", "super", "eval",
            String(repeating: "long name ", count: 100),
        ]
        let keys = names.map { name -> JSON in
            let description = name.prefix(100) + " */ \" \u{202E}"
            return [
                "key": .string(String(name.prefix(60))), "type": "string", "description": .string(String(description)),
                "required": .bool(name.count.isMultiple(of: 2)),
            ]
        }
        let events = ["track", "identify"].flatMap { type in
            names.map { name -> JSON in
                let description = "*/ \n \(name.prefix(100)) \u{2028}"
                return [
                    "type": .string(type), "name": .string(name), "description": .string(description),
                    "properties": .array(keys),
                ]
            }
        }
        return ["events": .array(events)]
    }()

    private func code(_ plan: String, _ language: String, _ options: [String] = []) async throws -> String {
        try Data(plan.utf8).write(to: URL(fileURLWithPath: folder.path + "/plan.json"))
        let outcome = try await CommandRun.finish(
            ["plan", "code", folder.path + "/plan.json", "--language", language] + options)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return outcome.output
    }

    @Test("Swift has a type for each event, with what the plan requires first")
    func swift() async throws {
        let code = try await code(Self.plan, "swift")
        #expect(
            code.contains(
                """
                /// track Order Completed: The order is paid.
                ///
                /// `analytics.track(OrderCompleted(…))`
                struct OrderCompleted: AnalyticsEvent {
                    static let name = "Order Completed"
                    /// In euros.
                    let total: Double
                    let orderId: String
                    var coupon: String?
                    var isGift: Bool?
                    var items: [JSON]?
                    var address: [String: JSON]?
                    var anything: JSON?

                    private enum CodingKeys: String, CodingKey {
                        case total = "total"
                        case orderId = "order_id"
                """), "\(code)")
        #expect(
            code.contains("struct UserTraits: Encodable {\n    let email: String\n    var plan: String?\n"), "\(code)")
        #expect(code.contains("struct HomeScreen: Encodable {\n    static let title = \"Home\"\n"), "\(code)")
        #expect(!code.contains("struct Debug"))
        #expect(code.contains("// - track Debug: the plan blocks it\n"), "\(code)")
        #expect(
            code.contains("// - page Prices: the client of this language has no such event with properties\n"),
            "\(code)")
    }

    @Test("Kotlin has a function for each event, and its package")
    func kotlin() async throws {
        let code = try await code(Self.plan, "kotlin", ["--package", "com.example.events"])
        #expect(
            code.contains("\npackage com.example.events\n\nimport com.segment.analytics.kotlin.core.Analytics\n"),
            "\(code)")
        #expect(
            code.contains(
                """
                /**
                 * track Order Completed: The order is paid.
                 *
                 * @param total In euros.
                 */
                fun Analytics.orderCompleted(total: Double, orderId: String, coupon: String? = null, isGift: Boolean? = null, \
                items: JsonArray? = null, address: JsonObject? = null, anything: JsonElement? = null) = track("Order Completed", buildJsonObject {
                    put("total", total)
                    put("order_id", orderId)
                    if (coupon != null) put("coupon", coupon)
                """), "\(code)")
        // The call needs the group's id, which is not the trait of that name.
        #expect(
            code.contains(
                "fun Analytics.groupTraits(groupId2: String, name: String? = null, groupId: String? = null) = group(groupId2,"
            ), "\(code)")
    }

    @Test("Allowed texts become a type of their own in each language")
    func choices() async throws {
        let plan = """
            {"events": [{"type": "track", "name": "Paid", "properties": [
              {"key": "state", "type": "string", "required": true, "values": ["in full", "raw-value", "none", ""]},
              {"key": "same", "type": "string", "values": ["\u{E9}", "e\u{301}"]}]}]}
            """
        let swift = try await code(plan, "swift")
        #expect(
            swift.contains(
                """
                    enum State: String, Encodable, Sendable {
                        case inFull = "in full"
                        case rawValue2 = "raw-value"
                        case none2 = "none"
                        case value = ""
                    }

                    let state: State
                    var same: String?
                """), "\(swift)")
        let kotlin = try await code(plan, "kotlin")
        #expect(kotlin.contains("enum class PaidState(val text: String) {\n    inFull(\"in full\"),\n"), "\(kotlin)")
        #expect(kotlin.contains("fun Analytics.paid(state: PaidState, same: String? = null)"), "\(kotlin)")
        #expect(kotlin.contains("    put(\"state\", state.text)\n"), "\(kotlin)")
        let script = try await code(plan, "typescript")
        #expect(script.contains(#""state": "in full" | "raw-value" | "none" | "";"#), "\(script)")
    }

    @Test("The code of hostile names has every key, no marks of direction, and names once each")
    func hostileNames() async throws {
        for language in PlannedCode.Language.allCases {
            let code = try await code(Self.hostilePlan.prettyPrint(), language.rawValue)
            for mark in ["\u{202E}", "\u{2028}", "\u{0}"] {
                #expect(!code.unicodeScalars.contains { String($0) == mark }, "\(language) \(mark.debugDescription)")
            }
            let word =
                [PlannedCode.Language.swift: "struct ", .kotlin: "fun Analytics.", .typescript: "export function "][
                    language] ?? ""
            let made = code.split(separator: "\n").filter { $0.hasPrefix(word) }.map {
                $0.dropFirst(word.count).prefix { $0 != ":" && $0 != "(" }
            }
            #expect(Set(made).count == made.count, "\(language)")
            #expect(made.count >= 2 * 37 - 1, "\(language) \(made.count)")
        }
    }

    @Test("The plan of a workspace becomes a file, which stays as it is while the plan does")
    func file() async throws {
        let server = try CommandRun(
            ["serve", "--port", "0", "--data", folder.path + "/data", "--write-key", "WK"],
            token: "a-token-of-twenty-letters")
        let url = try #require(await server.line(after: "tributary: listening on "))
        let output = folder.path + "/Events.swift"
        let options = ["--language", "swift", "--write-key", "WK", "--server", url, "--output", output]
        let empty = try await CommandRun.finish(["plan", "code"] + options, token: "a-token-of-twenty-letters")
        #expect(empty.status == 1 && empty.errors.contains("the plan has no events"), "\(empty.errors)")
        try Data(Self.plan.utf8).write(to: URL(fileURLWithPath: folder.path + "/plan.json"))
        let set = try await CommandRun.finish(
            ["plan", "set", folder.path + "/plan.json", "--write-key", "WK", "--server", url],
            token: "a-token-of-twenty-letters")
        #expect(set.status == 0, "\(set.errors)")
        let made = try await CommandRun.finish(["plan", "code"] + options, token: "a-token-of-twenty-letters")
        #expect(made.output == "\(output) is written\n", "\(made.errors)")
        #expect(try String(contentsOfFile: output, encoding: .utf8) == (try await code(Self.plan, "swift")))
        let again = try await CommandRun.finish(["plan", "code"] + options, token: "a-token-of-twenty-letters")
        #expect(again.output == "\(output) is up to date\n", "\(again.errors)")
        server.signal(SIGTERM)
        #expect(try await server.finished().status == 0)
    }

    @Test(
        "A wrong use is refused with its reason",
        arguments: [
            (["--language", "swift"], "Name either a file"), (["plan.json", "--language", "cobol"], "cobol"),
            (["plan.json", "--language", "swift", "--package", "a"], "--package is for kotlin"),
            (["plan.json", "--language", "kotlin", "--package", "a;b"], "--package is a name such as"),
            (["missing.json", "--language", "swift"], "missing.json cannot be read"),
        ])
    func refused(_ options: [String], _ reason: String) async throws {
        let outcome = try await CommandRun.finish(["plan", "code"] + options)
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
}
