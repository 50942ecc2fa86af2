import Foundation

/// The elements of a collection of Foundation, read without a cast.
///
/// On Linux, a cast of such a collection to a Swift type converts everything in it at once, and so does each access to
/// an element. A collection that contains itself then overflows the stack. A mirror returns the elements as they are.
enum FoundationCollection {
    case dictionary([(key: Any, value: Any)])
    case array([Any])
    case set([Any])

    /// Nil when the value is no `NSDictionary`, `NSArray` or `NSSet`.
    init?(_ value: Any) {
        let type = type(of: value)
        guard type is AnyClass else { return nil }
        if type is NSDictionary.Type {
            self = .dictionary(
                Self.children(value).compactMap { child in
                    (child as? (key: NSObject, value: AnyObject)).map {
                        (key: Self.element($0.key), value: Self.element($0.value))
                    }
                })
        } else if type is NSArray.Type {
            self = .array(Self.children(value).map(Self.element))
        } else if type is NSSet.Type {
            self = .set(Self.children(value).map(Self.element))
        } else {
            return nil
        }
    }

    private static func children(_ value: Any) -> [Any] { Mirror(reflecting: value).children.map(\.value) }

    /// The Swift value of an element, unless it is a collection itself.
    private static func element(_ value: Any) -> Any {
        let type = type(of: value)
        if type is NSDictionary.Type || type is NSArray.Type || type is NSSet.Type { return value }
        return NSArray(array: [value]).object(at: 0)
    }
}

extension [String: Any] {
    /// The members of a dictionary of any type, without a conversion of what is in them; nil for another value.
    package init?(membersOf value: Any) {
        switch FoundationCollection(value) {
        case .dictionary(let members):
            self = [:]
            for (key, value) in members {
                guard let key = key as? String else { return nil }
                self[key] = value
            }
        case .array, .set: return nil
        case nil:
            guard let members = value as? [String: Any] else { return nil }
            self = members
        }
    }
}

/// An optional of any type, so that its value can be looked at without a cast that also converts the value.
protocol AnyOptional {
    /// The value as `Any`; nil when there is none.
    var wrapped: Any? { get }
}

extension Optional: AnyOptional {
    var wrapped: Any? { self.map { $0 as Any } }
}
