// The runtime of Objective-C, as far as the client uses it. Only for sources without their attributes: see
// scripts/support/without_objc.py.
public import Foundation

// Not read: objectivec/selector
public struct Selector {
    package let name: String
    public init(_ name: String) { self.name = name }
}

// Not read: objectivec/method
public typealias Method = OpaquePointer

// Not read: objectivec/class_getinstancemethod(_:_:)
public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
// Not read: objectivec/method_exchangeimplementations(_:_:)
public func method_exchangeImplementations(_ m1: Method, _ m2: Method) {}
// Not read: objectivec/imp
public typealias IMP = OpaquePointer
// Not read: objectivec/class_addmethod(_:_:_:_:)
public func class_addMethod(_ cls: AnyClass?, _ name: Selector, _ imp: IMP, _ types: UnsafePointer<CChar>?) -> Bool {
    false
}
// Not read: objectivec/method_getimplementation(_:)
public func method_getImplementation(_ m: Method) -> IMP { m }
// Not read: objectivec/method_gettypeencoding(_:)
public func method_getTypeEncoding(_ m: Method) -> UnsafePointer<CChar>? { nil }

extension NSObjectProtocol {
    // Not read: objectivec/nsobjectprotocol/responds(to:)
    public func responds(to aSelector: Selector) -> Bool { false }
}
