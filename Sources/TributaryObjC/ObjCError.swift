/// An invalid call from Objective-C.
struct ObjCError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
