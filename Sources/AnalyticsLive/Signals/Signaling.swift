import TributaryJSON

/// A type that can emit signals about the data that it stores: a store, a view model, or `Signals` itself.
///
/// ```swift
/// final class CartStore: Signaling {
///     var products: [String] = [] {
///         didSet { signalLocalData(action: .saved, identifier: "cart", model: products) }
///     }
/// }
/// ```
public protocol Signaling {}

extension Signaling {
    /// Emits a signal that data of the app was read, changed, written or deleted. Returns at once, on any thread.
    /// - Parameters:
    ///   - action: what the app did.
    ///   - identifier: the name of the data.
    ///   - model: the data. Values without a JSON form are left out, with a diagnostic.
    public func signalLocalData<Model: Encodable>(action: LocalDataAction, identifier: String, model: Model?) {
        LocalDataCapture.emit(LocalDataSignal(action: action, identifier: identifier, data: model), self)
    }

    /// Emits a signal that data of the app was read, changed, written or deleted. Returns at once, on any thread.
    /// - Parameters:
    ///   - action: what the app did.
    ///   - identifier: the name of the data.
    ///   - model: the data. Values without a JSON form are left out, with a diagnostic.
    public func signalLocalData(action: LocalDataAction, identifier: String, model: [String: Any]?) {
        LocalDataCapture.emit(LocalDataSignal(action: action, identifier: identifier, data: model), self)
    }

    /// Emits a signal that data of the app was read, changed, written or deleted, without the data.
    public func signalLocalData(action: LocalDataAction, identifier: String) {
        LocalDataCapture.emit(LocalDataSignal(action: action, identifier: identifier), self)
    }
}

extension Signals: Signaling {
    /// Emits a signal that data of the app was read, changed, written or deleted. Returns at once, on any thread.
    public static func signalLocalData<Model: Encodable>(
        action: LocalDataAction, identifier: String, model: Model?
    ) {
        shared.signalLocalData(action: action, identifier: identifier, model: model)
    }

    /// Emits a signal that data of the app was read, changed, written or deleted. Returns at once, on any thread.
    public static func signalLocalData(action: LocalDataAction, identifier: String, model: [String: Any]?) {
        shared.signalLocalData(action: action, identifier: identifier, model: model)
    }
}

/// Finds the `Signals` for the signals of an object: `Signals.shared`, unless the object is a `Signals` itself.
private enum LocalDataCapture {
    static func emit(_ signal: LocalDataSignal, _ sender: Any) {
        (sender as? Signals ?? Signals.shared).emit(signal: signal)
    }
}
