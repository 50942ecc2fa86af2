/// Stands for somebody else's SDK.
final class ExampleService {
    private let token: String

    init(token: String) { self.token = token }

    func remember(_ userId: String, name: String?) { print("Example \(token): \(userId) is \(name ?? "nobody")") }

    func forget() { print("Example \(token): nobody") }
}
