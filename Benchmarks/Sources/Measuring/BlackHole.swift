/// Takes a value in a way that the optimizer cannot look through, so that what made it is not left out.
@inline(never)
@_optimize(none)
public func blackHole<Value>(_ value: Value) {}
