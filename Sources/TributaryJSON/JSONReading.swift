/// The result of reading a text with the help of a known value, and the differences between the two.
package struct JSONReading {
    package let value: JSON
    /// Whether there is a number or a `null` that the known value does not have at that place.
    package let hasNewNumbers: Bool
    /// Whether an object that differs from the known one may have a key that begins with a digit. Languages that put
    /// such keys first may have changed its order.
    package let hasNumberedKeys: Bool
}
