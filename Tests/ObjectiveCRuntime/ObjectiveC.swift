// The module ObjectiveC of Apple's systems, over the runtime of GNU: the functions have the same names and parameters in C.
public struct Selector {
    let pointer: OpaquePointer
}

public typealias Method = OpaquePointer
public typealias IMP = OpaquePointer

@_silgen_name("class_getInstanceMethod")
public func class_getInstanceMethod(_ type: AnyClass?, _ name: Selector) -> Method?

@_silgen_name("class_addMethod")
public func class_addMethod(_ type: AnyClass?, _ name: Selector, _ code: IMP, _ types: UnsafePointer<CChar>?) -> Bool

@_silgen_name("method_getImplementation")
public func method_getImplementation(_ method: Method) -> IMP

@_silgen_name("method_getTypeEncoding")
public func method_getTypeEncoding(_ method: Method) -> UnsafePointer<CChar>?

@_silgen_name("method_exchangeImplementations")
public func method_exchangeImplementations(_ first: Method, _ second: Method)
