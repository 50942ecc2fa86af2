// StoreKit, as far as the client uses it.
// All of it is deprecated since iOS 18 with the queue; the pages of its parts were not read, but that of the queue.
public import Foundation

// Not read: storekit/skpaymenttransactionstate
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
public enum SKPaymentTransactionState: Int, Sendable {
    case purchasing, purchased, failed, restored, deferred
}

// Not read: storekit/skpayment
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKPayment: NSObject {
    open var productIdentifier: String { "" }
    open var quantity: Int { 1 }
}

// Not read: storekit/skpaymenttransaction
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKPaymentTransaction: NSObject {
    open var transactionState: SKPaymentTransactionState { .purchasing }
    open var transactionIdentifier: String? { nil }
    open var payment: SKPayment { SKPayment() }
}

// Not read: storekit/skpaymenttransactionobserver
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
public protocol SKPaymentTransactionObserver: NSObjectProtocol {
    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction])
}

// https://developer.apple.com/documentation/storekit/skpaymentqueue/default()
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKPaymentQueue: NSObject {
    open class func `default`() -> Self { Self() }
    public override required init() { super.init() }
    open func add(_ observer: any SKPaymentTransactionObserver) {}
}

// Not read: storekit/skproduct
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKProduct: NSObject {
    open var productIdentifier: String { "" }
    open var price: NSDecimalNumber { 0 }
    open var priceLocale: Locale { Locale(identifier: "en_US") }
    open var localizedTitle: String { "" }
}

// Not read: storekit/skproductsresponse
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKProductsResponse: NSObject {
    open var products: [SKProduct] { [] }
}

// Not read: storekit/skrequest
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKRequest: NSObject {
    open func start() {}
}

// Not read: storekit/skrequestdelegate
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
public protocol SKRequestDelegate: NSObjectProtocol {
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

// Not read: storekit/skrequestdelegate
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
extension SKRequestDelegate {
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

// Not read: storekit/skproductsrequestdelegate
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

// Not read: storekit/skproductsrequest
@available(iOS, introduced: 3.0, deprecated: 18.0)
@available(macOS, introduced: 10.7, deprecated: 15.0)
@available(tvOS, introduced: 9.0, deprecated: 18.0)
@available(watchOS, introduced: 6.2, deprecated: 11.0)
@available(visionOS, introduced: 1.0, deprecated: 2.0)
open class SKProductsRequest: SKRequest {
    open weak var delegate: (any SKProductsRequestDelegate)?
    public init(productIdentifiers: Set<String>) { super.init() }
}
