/// A call from Objective-C that has no meaning.
struct ObjCError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
