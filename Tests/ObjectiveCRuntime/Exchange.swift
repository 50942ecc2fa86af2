import ObjectiveC

/// For the program in Objective-C, which has no Swift types: the exchange of `MethodExchange`.
@_cdecl("tributary_exchange")
public func exchange(_ type: UnsafeRawPointer, _ original: OpaquePointer, _ own: OpaquePointer) -> Bool {
    MethodExchange.exchange(
        unsafeBitCast(type, to: AnyClass.self), unsafeBitCast(original, to: Selector.self),
        with: unsafeBitCast(own, to: Selector.self))
}
