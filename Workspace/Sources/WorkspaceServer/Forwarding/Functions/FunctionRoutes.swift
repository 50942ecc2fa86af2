import Hummingbird
import TributaryJSON
import WorkspaceCore

/// The templates of destination functions, and what code declares before a destination has it.
struct FunctionRoutes: Sendable {
    let functions: FunctionCheck
    /// One at a time, because each begins a process.
    private let turn = SingleRun("check of a destination function", places: 8)

    init(functions: FunctionCheck) { self.functions = functions }

    func add(to router: some RouterMethods<WorkspaceContext>) {
        router.get("api/functions/templates") { _, _ in
            Response.json([
                "templates": .array(
                    FunctionFiles.templates.map { name in
                        ["name": .string(name), "about": .string(FunctionFiles.about(template: name))]
                    })
            ])
        }
        router.post("api/functions/check") { request, _ in
            let code = try Self.code(try await AdministrationBody.json(request))
            return try await turn.take {
                let declaration = try await functions.declaration(of: code)
                return Response.json(["code": .string(code), "declaration": .object(declaration.json)])
            }
        }
    }

    private static func code(_ body: JSON) throws(Refusal) -> String {
        guard let object = body.objectValue, object.allSatisfy({ ["code", "template"].contains($0.key) }) else {
            throw .invalid("the body is an object with code or template")
        }
        return try FunctionSettings(object).code
    }
}
