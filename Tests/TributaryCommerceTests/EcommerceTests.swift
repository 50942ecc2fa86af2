import TestSupport
import Testing
import Tributary
import TributaryCommerce
import TributaryJSON

@Suite("The e-commerce specification's events")
struct EcommerceTests {
    private static let product = Ecommerce.Product(
        id: "p", sku: "s", category: "c", name: "n", brand: "b", variant: "v", price: 4.5, quantity: 2, coupon: "x",
        position: 1, url: "u", imageURL: "i")
    private static let choice = Ecommerce.Choice(type: "price", value: "desc")

    /// Every event with all its members, and the members that the specification gives it.
    private static let all: [(event: any AnalyticsEvent & Sendable, members: String)] =
        [
            (Ecommerce.ProductsSearched(query: "s"), "query"),
            (Ecommerce.ProductListViewed(listId: "s", category: "s", products: [product]), "list_id category products"),
            (
                Ecommerce.ProductListFiltered(
                    listId: "s", category: "s", filters: [choice], sorts: [choice], products: [product]),
                "list_id category filters sorts products"
            ),
            (
                Ecommerce.PromotionViewed(promotionId: "s", creative: "s", name: "s", position: "s"),
                "promotion_id creative name position"
            ),
            (
                Ecommerce.PromotionClicked(promotionId: "s", creative: "s", name: "s", position: "s"),
                "promotion_id creative name position"
            ),
            (
                Ecommerce.ProductClicked(product: product),
                "product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (
                Ecommerce.ProductViewed(product: product, currency: "s", value: 1.5),
                "product_id sku category name brand variant price quantity coupon position url image_url currency value"
            ),
            (
                Ecommerce.ProductAdded(product: product, cartId: "s"),
                "cart_id product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (
                Ecommerce.ProductRemoved(product: product, cartId: "s"),
                "cart_id product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (Ecommerce.CartViewed(cartId: "s", products: [product]), "cart_id products"),
            (
                Ecommerce.CheckoutStarted(
                    orderId: "s", affiliation: "s", value: 1.5, revenue: 1.5, shipping: 1.5, tax: 1.5, discount: 1.5,
                    coupon: "s", currency: "s", products: [product]),
                "order_id affiliation value revenue shipping tax discount coupon currency products"
            ),
            (
                Ecommerce.CheckoutStepViewed(checkoutId: "s", step: 2, shippingMethod: "s", paymentMethod: "s"),
                "checkout_id step shipping_method payment_method"
            ),
            (
                Ecommerce.CheckoutStepCompleted(checkoutId: "s", step: 2, shippingMethod: "s", paymentMethod: "s"),
                "checkout_id step shipping_method payment_method"
            ),
            (
                Ecommerce.PaymentInfoEntered(
                    checkoutId: "s", orderId: "s", step: 2, shippingMethod: "s", paymentMethod: "s"),
                "checkout_id order_id step shipping_method payment_method"
            ),
            (
                Ecommerce.OrderUpdated(
                    orderId: "s", affiliation: "s", total: 1.5, revenue: 1.5, shipping: 1.5, tax: 1.5, discount: 1.5,
                    coupon: "s", currency: "s", products: [product]),
                "order_id affiliation total revenue shipping tax discount coupon currency products"
            ),
            (
                Ecommerce.OrderCompleted(
                    checkoutId: "s", orderId: "s", affiliation: "s", subtotal: 1.5, total: 1.5, revenue: 1.5,
                    shipping: 1.5, tax: 1.5, discount: 1.5, coupon: "s", currency: "s", products: [product]),
                "checkout_id order_id affiliation subtotal total revenue shipping tax discount coupon currency products"
            ),
            (
                Ecommerce.OrderRefunded(orderId: "s", total: 1.5, currency: "s", products: [product]),
                "order_id total currency products"
            ),
            (
                Ecommerce.OrderCancelled(
                    orderId: "s", affiliation: "s", total: 1.5, revenue: 1.5, shipping: 1.5, tax: 1.5, discount: 1.5,
                    coupon: "s", currency: "s", products: [product]),
                "order_id affiliation total revenue shipping tax discount coupon currency products"
            ),
            (Ecommerce.CouponEntered(orderId: "s", cartId: "s", couponId: "s"), "order_id cart_id coupon_id"),
            (
                Ecommerce.CouponApplied(orderId: "s", cartId: "s", couponId: "s", couponName: "s", discount: 1.5),
                "order_id cart_id coupon_id coupon_name discount"
            ),
            (
                Ecommerce.CouponDenied(orderId: "s", cartId: "s", couponId: "s", couponName: "s", reason: "s"),
                "order_id cart_id coupon_id coupon_name reason"
            ),
            (
                Ecommerce.CouponRemoved(orderId: "s", cartId: "s", couponId: "s", couponName: "s", discount: 1.5),
                "order_id cart_id coupon_id coupon_name discount"
            ),
            (
                Ecommerce.ProductAddedToWishlist(product: product, wishlistId: "s", wishlistName: "s"),
                "wishlist_id wishlist_name product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (
                Ecommerce.ProductRemovedFromWishlist(product: product, wishlistId: "s", wishlistName: "s"),
                "wishlist_id wishlist_name product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (
                Ecommerce.WishlistProductAddedToCart(product: product, wishlistId: "s", wishlistName: "s", cartId: "s"),
                "wishlist_id wishlist_name cart_id product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (
                Ecommerce.ProductShared(product: product, shareVia: "s", shareMessage: "s", recipient: "s"),
                "share_via share_message recipient product_id sku category name brand variant price quantity coupon position url image_url"
            ),
            (
                Ecommerce.CartShared(
                    shareVia: "s", shareMessage: "s", recipient: "s", cartId: "s", products: [product]),
                "share_via share_message recipient cart_id products"
            ),
            (
                Ecommerce.ProductReviewed(productId: "s", reviewId: "s", reviewBody: "s", rating: "s"),
                "product_id review_id review_body rating"
            ),
        ]

    @Test("E-commerce events have exactly the members of the specification")
    func members() throws {
        #expect(Self.all.count == 28)
        for (event, members) in Self.all {
            let json = try JSON(with: event)
            let expected = Set(members.split(separator: " ").map(String.init))
            #expect(Set(json.objectValue?.keys ?? []) == expected, "\(type(of: event))")
        }
    }

    @Test("E-commerce events have the names of the specification")
    func names() {
        let names = Self.all.map { type(of: $0.event).name }
        #expect(
            names == [
                "Products Searched", "Product List Viewed", "Product List Filtered", "Promotion Viewed",
                "Promotion Clicked", "Product Clicked", "Product Viewed", "Product Added", "Product Removed",
                "Cart Viewed", "Checkout Started", "Checkout Step Viewed", "Checkout Step Completed",
                "Payment Info Entered", "Order Updated", "Order Completed", "Order Refunded", "Order Cancelled",
                "Coupon Entered", "Coupon Applied", "Coupon Denied", "Coupon Removed", "Product Added to Wishlist",
                "Product Removed from Wishlist", "Wishlist Product Added to Cart", "Product Shared", "Cart Shared",
                "Product Reviewed",
            ])
    }

    @Test("E-commerce events leave out nil and have the product's members beside their own")
    func shape() async {
        let client = Client()
        let soap = Ecommerce.Product(id: "p-1", name: "Soap", price: 4.5)
        client.analytics.track(Ecommerce.ProductAdded(product: soap, cartId: "c-1"))
        client.analytics.track(Ecommerce.OrderCompleted(orderId: "o-1", total: 9.99, products: [soap]))
        #expect(await client.flushed() == .sent)
        let sent = client.server.events
        #expect(sent.first?["properties"] == ["product_id": "p-1", "name": "Soap", "price": 4.5, "cart_id": "c-1"])
        let products: JSON = [["product_id": "p-1", "name": "Soap", "price": 4.5]]
        #expect(sent.last?["properties"] == ["order_id": "o-1", "total": 9.99, "products": products])
        #expect(client.server.names == ["Product Added", "Order Completed"])
        await client.ended()
    }
}
