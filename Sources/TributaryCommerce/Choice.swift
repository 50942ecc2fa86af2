extension Ecommerce {
    /// What a list of products is narrowed down to or ordered by, such as `price` and `desc`.
    public struct Choice: Encodable, Sendable, Equatable {
        /// What it is about.
        public var type: String
        /// What was chosen.
        public var value: String

        /// A choice.
        public init(type: String, value: String) {
            self.type = type
            self.value = value
        }
    }
}
