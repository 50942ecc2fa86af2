import ArgumentParser
import Foundation
import TributaryJSON

/// The code of a destination function, and the values of its settings.
struct FunctionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Send what a function makes of events; the file of its code.", valueName: "file"),
        completion: .file(extensions: ["js"]))
    var code: String?

    @Option(help: "Send what the function of a template makes of events; `tributary destination templates` lists them.")
    var template: String?

    @Option(
        help: ArgumentHelp(
            "A setting of the function: channel=#orders. May be repeated; without a value it is removed.",
            valueName: "name=value"))
    var setting: [String] = []

    func validate() throws {
        if code != nil, template != nil { throw ValidationError("give --code or --template, not both") }
    }

    var hasCode: Bool { code != nil || template != nil }
    var isEmpty: Bool { !hasCode && setting.isEmpty }

    /// Writes the given options into settings.
    func apply(to settings: inout JSONObject) throws(Failure) {
        if hasCode { settings["code"] = Optional<JSON>.none }
        if let code { settings["code"] = .string(try FunctionFolder.code(code)) }
        if let template { settings["template"] = .string(template) }
        guard !setting.isEmpty else { return }
        var values = settings["settings"]?.objectValue ?? JSONObject()
        for text in setting {
            let (name, value) = try Self.pair(text, option: "--setting")
            if value.isEmpty { values[name] = Optional<JSON>.none } else { values[name] = .string(value) }
        }
        settings["settings"] = .object(values)
    }

    static func pair(_ text: String, option: String) throws(Failure) -> (name: String, value: String) {
        guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
            throw Failure("\(option) \(text.printable) has no name: write \(option) name=value")
        }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }
}
