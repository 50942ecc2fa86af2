// StoreKit, as far as the client uses it.
public import Foundation

public enum SKPaymentTransactionState: Int, Sendable {
    case purchasing, purchased, failed, restored, deferred
}

open class SKPayment: NSObject {
    open var productIdentifier: String { "" }
    open var quantity: Int { 1 }
}

open class SKPaymentTransaction: NSObject {
    open var transactionState: SKPaymentTransactionState { .purchasing }
    open var transactionIdentifier: String? { nil }
    open var payment: SKPayment { SKPayment() }
}

public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
}

open class SKPaymentQueue: NSObject {
    open class func `default`() -> Self { Self() }
    public override required init() { super.init() }
    open func add(_ observer: any SKPaymentTransactionObserver) {}
}

open class SKProduct: NSObject {
    open var productIdentifier: String { "" }
    open var price: NSDecimalNumber { 0 }
    open var priceLocale: Locale { Locale(identifier: "en_US") }
    open var localizedTitle: String { "" }
}

open class SKProductsResponse: NSObject {
    open var products: [SKProduct] { [] }
}

open class SKRequest: NSObject {
    open func start() {}
}

public protocol SKRequestDelegate: NSObjectProtocol {
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

public protocol SKProductsRequestDelegate: SKRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

open class SKProductsRequest: SKRequest {
    open weak var delegate: (any SKProductsRequestDelegate)?
    public init(productIdentifiers: Set<String>) { super.init() }
}
