import Testing

@testable import AnalyticsCompat

@Suite("Screens and purchases")
struct ScreenTests {
    @Test(
        "A screen is named after its class, or after its title",
        arguments: [
            ("ShopViewController", nil, "Shop"), ("App.HomeViewController", "Title", "App.Home"),
            ("AnalyticsIOSTestApp.ViewController", nil, "AnalyticsIOSTestApp."), ("ViewController", "Title", "Title"),
            ("ViewController", nil, "Unknown"), ("ViewController", "", "Unknown"), ("Plain", nil, "Plain"),
        ] as [(String, String?, String)])
    func names(className: String, title: String?, name: String) {
        #expect(ScreenName.of(className: className, title: title) == name)
    }

    private final class Screen {
        var presented, stackTop, tab, main, child: Screen?
    }

    private let tree = ScreenTree<Screen>(
        presented: { $0.presented }, stackTop: { $0.stackTop }, selectedTab: { $0.tab }, main: { $0.main },
        firstChild: { $0.child })

    @Test("The screen on top is found in presentations, stacks, tabs, the main child and children")
    func top() {
        let (root, other) = (Screen(), Screen())
        #expect(tree.top(of: root) === root)
        for place in [\Screen.child, \Screen.main, \Screen.tab, \Screen.stackTop, \Screen.presented] {
            let screen = Screen()
            screen[keyPath: place] = other
            #expect(tree.top(of: screen) === other)
            // Each candidate comes before the candidates that were tried before it.
            root[keyPath: place] = Screen()
            #expect(tree.top(of: root) === root[keyPath: place])
        }
    }

    @Test("The search for the screen on top ends, also in a circle")
    func depth() {
        let (a, b, c) = (Screen(), Screen(), Screen())
        a.tab = b
        b.stackTop = c
        #expect(tree.top(of: a) === c)
        c.presented = a
        _ = tree.top(of: a)
    }

    @Test("A purchase with an id becomes an order of the e-commerce specification")
    func purchase() throws {
        var purchase = Purchase(
            transactionId: "t-1", productId: "p", quantity: 2, price: 3.99, currency: "EUR", title: "Coins")
        let properties = try JSON(try #require(purchase.properties))
        #expect(
            properties == [
                "orderId": "t-1", "affiliation": "App Store", "currency": "EUR",
                "products": [["sku": "t-1", "quantity": 2, "productId": "p", "price": 3.99, "name": "Coins"]],
            ])
        purchase.transactionId = ""
        #expect(purchase.properties == nil)
    }
}
