#if canImport(StoreKit) && canImport(ObjectiveC) && !os(watchOS)
import Foundation
import StoreKit

/// Tracks an event for each purchase. It requests the product from the store, because a transaction does not have its
/// price.
///
/// Unchecked because what changes is behind the lock.
final class PurchaseObserver: NSObject, SKPaymentTransactionObserver, SKProductsRequestDelegate, @unchecked Sendable {
    private weak var analytics: Analytics?
    private let open = LockBox<[(transactionId: String, productId: String, quantity: Int, request: SKProductsRequest)]>(
        [])

    init(_ analytics: Analytics) {
        self.analytics = analytics
        super.init()
        SKPaymentQueue.default().add(self)
    }

    private static func currency(of locale: Locale) -> String {
        // Not `currencyCode`, which is deprecated, nor `currency`, which the oldest systems do not have.
        (locale as NSLocale).object(forKey: .currencyCode) as? String ?? ""
    }

    func paymentQueue(_ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]) {
        for transaction in transactions where transaction.transactionState == .purchased {
            guard let id = transaction.transactionIdentifier else { continue }
            let request = SKProductsRequest(productIdentifiers: [transaction.payment.productIdentifier])
            request.delegate = self
            open.withLock {
                $0.append((id, transaction.payment.productIdentifier, transaction.payment.quantity, request))
            }
            request.start()
        }
    }

    func request(_ request: SKRequest, didFailWithError error: any Error) {
        let count = open.withLock { open in
            let before = open.count
            open.removeAll { $0.request === request }
            return before - open.count
        }
        guard count > 0 else { return }
        analytics?.report(
            Diagnostic(.eventDropped, "the store does not return the product of a purchase: \(error)", count: count))
    }

    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse) {
        for product in response.products {
            let found = open.withLock { open in
                let found = open.filter { $0.request === request }
                open.removeAll { $0.request === request }
                return found
            }
            for bought in found {
                let purchase = Purchase(
                    transactionId: bought.transactionId, productId: bought.productId, quantity: bought.quantity,
                    price: product.price.doubleValue, currency: Self.currency(of: product.priceLocale),
                    title: product.localizedTitle)
                if let properties = purchase.properties {
                    analytics?.track(Purchase.eventName, properties: properties)
                }
            }
        }
    }
}

/// Holds observers as long as the app runs, because the store's queue does not hold them.
enum PurchaseObservers {
    private static let all = LockBox<[PurchaseObserver]>([])

    static func observe(for client: Analytics) { all.withLock { $0.append(PurchaseObserver(client)) } }
}
#endif
