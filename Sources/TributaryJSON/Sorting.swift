/// Sorting for short lists that are rarely sorted.
///
/// The compiler makes 3 KB of code for each type of elements that a module sorts. These functions are in a module of their own
/// for their callers, so all types of elements share one version, which is slower.
extension Array {
    /// The elements in the order that a function says; equal elements keep theirs.
    @inline(never)
    package func inOrder(by isBefore: (Element, Element) -> Bool) -> [Element] { sorted(by: isBefore) }
}

extension Array where Element: Comparable {
    /// The elements from the least to the greatest.
    @inline(never)
    package func inOrder() -> [Element] { sorted() }
}

extension Dictionary where Key == String {
    /// The members in the order of their keys.
    @inline(never)
    package func byKey() -> [(key: String, value: Value)] {
        names(keys).compactMap { key in self[key].map { (key, $0) } }
    }
}

/// The keys in their order.
private func names(_ keys: some Sequence<String>) -> [String] { Array(keys).inOrder() }
