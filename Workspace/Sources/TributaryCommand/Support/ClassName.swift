import ArgumentParser

/// The name of a class in a script that a command makes.
enum ClassName {
    /// - Throws: an error when no class can have the name.
    static func check(_ name: String) throws {
        guard name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else {
            throw ValidationError("\(name.printable) cannot be the name of a class; use letters, digits and _")
        }
    }
}
