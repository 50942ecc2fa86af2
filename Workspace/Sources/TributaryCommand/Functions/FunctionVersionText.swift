import TributaryJSON

/// The versions of a function as text.
enum FunctionVersionText {
    static func line(_ version: JSON, isCurrent: Bool) -> String {
        let author = version["storedBy"]?.stringValue?.printable ?? ""
        let code =
            version["newCode"] == true
            ? "new code of \((version["codeBytes"]?.intValue ?? 0).grouped) bytes" : "other settings"
        let text =
            "version \(version["version"]?.intValue ?? 0), \(version["storedAt"]?.stringValue?.printable ?? "?"), \(code)"
            + (author.isEmpty ? "" : ", by \(author)")
        return isCurrent ? OutputStyle.output.bold("\(text), current") : text
    }

    static func rolledBack(_ answer: JSON) throws(Failure) -> String {
        "the function has version \(try answer.number("version")), with the content of version "
            + "\(try answer.number("contentOf"))"
    }
}
