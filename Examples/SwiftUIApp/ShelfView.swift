import AnalyticsLive
import SwiftUI
import Tributary

/// What the shop sells.
struct ShelfView: View {
    @State private var basket: [String] = []

    var body: some View {
        VStack {
            ConsentView()
            Text("In your basket: \(basket.count)")
            Button("Put a lamp into the basket") { add("lamp", price: 19.9) }
            Button("Buy") { buy() }
        }
        .trackScreen("Shelf", category: "Shop", with: .main)
    }

    private func add(_ product: String, price: Double) {
        basket.append(product)
        Analytics.main.track(name: "Product Added", properties: ["name": product, "price": price])
    }

    private func buy() {
        Analytics.main.track(name: "Order Completed", properties: Order(products: basket))
        basket = []
    }
}

/// What an order is to analytics: any type that can be encoded.
struct Order: Encodable {
    var products: [String]
}
