#if canImport(ObjectiveC)
import ObjectiveC

/// Exchanges two methods of a class in the runtime of Objective-C.
enum MethodExchange {
    /// Makes calls of `original` run `own`, and calls of `own` run the former method.
    ///
    /// A class that inherits `original` gets a method of its own first. Otherwise the exchange would change the class that
    /// declares it, and objects of that class, which have no method `own`, would end the app.
    /// - Returns: false when the class has one of the methods not; nothing is changed then.
    @discardableResult
    static func exchange(_ type: AnyClass, _ original: Selector, with own: Selector) -> Bool {
        guard let found = class_getInstanceMethod(type, original), let second = class_getInstanceMethod(type, own)
        else { return false }
        // This fails when the class itself declares the method, as it should then.
        _ = class_addMethod(type, original, method_getImplementation(found), method_getTypeEncoding(found))
        guard let first = class_getInstanceMethod(type, original) else { return false }
        method_exchangeImplementations(first, second)
        return true
    }
}
#endif
