/// What code in Objective-C did that has no meaning.
struct ObjCError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
