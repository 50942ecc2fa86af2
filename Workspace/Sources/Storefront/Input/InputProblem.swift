/// A fault in a piece of input, without its place.
struct InputProblem: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
