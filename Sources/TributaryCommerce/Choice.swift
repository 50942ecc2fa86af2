extension Ecommerce {
    /// A filter or an order of a list of products, such as `price` and `desc`.
    public struct Choice: Encodable, Sendable, Equatable {
        /// The subject of the choice.
        public var type: String
        /// The chosen value.
        public var value: String

        /// A choice.
        public init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }
}
