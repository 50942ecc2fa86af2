// The runtime of Objective-C, as far as the client uses it. Only for sources without their attributes: see
// scripts/support/without_objc.py.
public struct Selector: Sendable {
    public let name: String
    public init(_ name: String) { self.name = name }
}

public typealias Method = OpaquePointer

public func class_getInstanceMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
public func method_exchangeImplementations(_ m1: Method, _ m2: Method) {}
