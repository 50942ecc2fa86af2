// What the views and controllers of the stubs say of themselves is set by the tests, as UIKit would set it.
#if canImport(AppleFoundation)
import Testing
import Tributary
import TributaryJSON
import UIKit

@testable import AnalyticsLive

@Suite("The capture of UIKit")
@MainActor
struct UIKitCaptureTests {
    private final class CartViewController: UIViewController {}
    private final class ProductViewController: UIViewController {}
    private final class _HelperController: UIViewController {}

    private let signals = Signals { 0 }
    private let center = NotificationCenter()
    private let capture: UIKitCapture

    init() {
        capture = UIKitCapture(signals, center: center)
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY", useUIKitAutoSignal: true))
    }

    private func emitted() throws -> [JSON] {
        var all: [JSON] = []
        while let entry = signals.popWaiting() { all.append(try entry.signal.json()["data"] ?? .null) }
        return all
    }

    private func ways() throws -> [String] {
        try emitted().map { "\($0["action"]?.stringValue ?? "") \($0["screen"]?.stringValue ?? "")" }
    }

    @Test("A tap inside of a component counts as a tap on the component")
    func taps() throws {
        let (button, label) = (UIButton(), UILabel())
        button.currentTitle = "Add To Cart"
        button.addSubview(label)
        capture.tapped(label)
        let toggle = UISwitch()
        toggle.isOn = true
        toggle.accessibilityIdentifier = "offers"
        capture.tapped(toggle)
        let segments = UISegmentedControl()
        segments.titles = ["S", "M"]
        segments.selectedSegmentIndex = 1
        capture.tapped(segments)
        segments.selectedSegmentIndex = 9
        capture.tapped(segments)
        capture.tapped(UIView())
        capture.tapped(UITextField())
        capture.tapped(nil)
        #expect(
            try emitted().map { [$0["component"] ?? .null, $0["title"] ?? .null, $0["data"] ?? .null] } == [
                ["UIButton", "Add To Cart", .null], ["UISwitch", "offers", ["value": true]],
                ["UISegmentedControl", "M", ["selectedIndex": 1]], ["UISegmentedControl", .null, ["selectedIndex": 9]],
            ])
    }

    @Test("The signal of a table's row has its place")
    func rows() throws {
        let (table, cell, label) = (UITableView(), UITableViewCell(), UILabel())
        label.text = "Shoe"
        cell.textLabel = label
        table.addSubview(cell)
        cell.addSubview(label)
        table.paths[ObjectIdentifier(cell)] = [2, 5]
        capture.tapped(label)
        let data = try #require(try emitted().first)
        #expect(data["title"] == "Shoe")
        #expect(data["data"]?["section"] == 2)
        #expect(data["data"]?["row"] == 5)
    }

    @Test("Typed text is in no signal unless the app asks for it")
    func silent() throws {
        capture.start()
        let field = UITextField()
        field.text = "Graz"
        center.post(name: UITextField.textDidEndEditingNotification, object: field)
        #expect(try emitted().map { $0["data"] } == [["focused": false, "secure": false]])
        capture.stop()
    }

    @Test("With useTypedText, typed text is in the signal when the field is left, unless it is a secret")
    func text() throws {
        var configuration = SignalsConfiguration(writeKey: "KEY", useUIKitAutoSignal: true)
        configuration.useTypedText = true
        #expect(!configuration.includesTypedText(isDebug: false))
        signals.useConfiguration(configuration)
        capture.start()
        let field = UITextField()
        field.placeholder = "City"
        field.text = "Graz"
        func edit(_ field: UITextField) {
            center.post(name: UITextField.textDidBeginEditingNotification, object: field)
            center.post(name: UITextField.textDidEndEditingNotification, object: field)
        }
        edit(field)
        #expect(
            try emitted().map { $0["data"] } == [
                ["focused": true, "secure": false], ["focused": false, "secure": false, "value": "Graz"],
            ])
        let changes: [(UITextField) -> Void] = [
            { $0.isSecureTextEntry = true }, { $0.textContentType = .oneTimeCode }, { $0.placeholder = "Password" },
            { $0.text = "password=x" },
        ]
        for change in changes {
            let field = UITextField()
            field.text = "s3cret"
            change(field)
            edit(field)
            #expect(try emitted().allSatisfy { $0["data"]?["value"] == nil })
        }
        capture.stop()
        edit(field)
        #expect(try emitted().isEmpty)
    }

    @Test("A push makes forward, a pop makes backward")
    func navigation() throws {
        let stack = UINavigationController()
        let (cart, product) = (CartViewController(), ProductViewController())
        stack.viewControllers = [cart]
        capture.appeared(stack)
        capture.appeared(cart)
        stack.viewControllers = [cart, product]
        product.isMovingToParent = true
        capture.disappeared(cart)
        capture.appeared(product)
        product.isMovingToParent = false
        product.isMovingFromParent = true
        capture.disappeared(product)
        capture.appeared(cart)
        #expect(
            try ways() == [
                "entering Cart", "leaving Cart", "forward Product", "entering Product", "leaving Product",
                "backward Cart", "entering Cart",
            ])
    }

    @Test("A presentation makes modal or popup, and its end makes backward")
    func presentation() throws {
        let (cart, product, alert) = (CartViewController(), ProductViewController(), UIAlertController())
        capture.appeared(cart)
        for shown in [product, alert] as [UIViewController] {
            shown.presentingViewController = cart
            shown.isBeingPresented = true
            capture.appeared(shown)
            shown.isBeingPresented = false
            shown.isBeingDismissed = true
            capture.disappeared(shown)
        }
        #expect(
            try ways() == [
                "entering Cart", "modal Product", "entering Product", "leaving Product", "backward Cart",
                "popup Alert", "entering Alert", "leaving Alert", "backward Cart",
            ])
    }

    /// A tab bar controller with two tabs, of which it shows the first.
    private func tabs() -> (bar: UITabBarController, home: UIViewController, cart: UIViewController) {
        let (bar, home, cart) = (UITabBarController(), ProductViewController(), CartViewController())
        for (controller, title) in [(home as UIViewController, "Home"), (cart, "Cart")] {
            controller.tabBarItem.title = title
            controller.parent = bar
        }
        bar.selectedViewController = home
        return (bar, home, cart)
    }

    @Test("A tab that the user chooses in the bar makes page once, before the screen appears")
    func bar() throws {
        let (bar, home, cart) = tabs()
        capture.appeared(home)
        capture.chose(cart.tabBarItem, in: bar)
        bar.selectedViewController = cart
        capture.appeared(cart)
        capture.chose(cart.tabBarItem, in: bar)
        let all = try emitted()
        #expect(all.map { $0["action"] ?? $0["component"] } == ["entering", "page", "TabView", "entering"])
        #expect(all[2]["data"] == ["action": "tabSelected", "selectedTab": "Cart", "previousTab": "Home"])
    }

    @Test("Another tab without a tab bar makes page when its screen appears")
    func noBar() throws {
        let (bar, home, cart) = tabs()
        capture.appeared(home)
        bar.selectedViewController = cart
        capture.appeared(cart)
        #expect(try emitted().map { $0["action"] ?? $0["component"] } == ["entering", "page", "TabView", "entering"])
    }

    @Test("Helper controllers of the system make no screen")
    func others() throws {
        capture.appeared(_HelperController())
        capture.appeared(UITabBarController())
        #expect(try emitted().isEmpty)
    }

    @Test("No signals are made while the capture is off")
    func off() throws {
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
        capture.tapped(UIButton())
        capture.appeared(CartViewController())
        #expect(try emitted().isEmpty)
    }
}
#endif
