// The table of docs/guides/signal-capture.md that says which change gives which way, against what the capture does.
#if canImport(AppleFoundation)
import Foundation
import SwiftUI
import Testing
import TributaryJSON
import UIKit

@testable import AnalyticsLive

// Inside of the controls' tests, because they share one place for signals and run one after the other.
extension SignalControlTests {
    @Suite("The table of navigation actions")
    @MainActor
    struct NavigationTableTests {
        private final class HomeViewController: UIViewController {}
        private final class CartViewController: UIViewController {}
        private struct Home: View { var body: some View { EmptyView() } }
        private struct Cart: View { var body: some View { EmptyView() } }

        private let signals = Signals { 0 }
        private let capture: UIKitCapture

        init() {
            capture = UIKitCapture(signals, center: NotificationCenter())
            signals.useConfiguration(
                SignalsConfiguration(writeKey: "KEY", useUIKitAutoSignal: true, useSwiftUIAutoSignal: true))
            ControlSignals.signals = signals
            SignalScreens.trail = NavigationTrail()
        }

        /// The actions that a change makes.
        private func actions(_ change: () throws -> Void) throws -> [NavigationAction] {
            while signals.popWaiting() != nil {}
            try change()
            var found: [NavigationAction] = []
            while let entry = signals.popWaiting() {
                if let navigation = entry.signal as? NavigationSignal { found.append(navigation.data.action) }
            }
            return found
        }

        // MARK: The changes of the table

        /// A push and a way back, and what they make: the way there, the way back.
        private func stack() throws -> (there: [NavigationAction], back: [NavigationAction]) {
            let (stack, home, cart) = (UINavigationController(), HomeViewController(), CartViewController())
            stack.viewControllers = [home]
            capture.appeared(home)
            let there = try actions {
                stack.viewControllers = [home, cart]
                cart.isMovingToParent = true
                capture.disappeared(home)
                capture.appeared(cart)
            }
            let back = try actions {
                cart.isMovingToParent = false
                cart.isMovingFromParent = true
                capture.disappeared(cart)
                capture.appeared(home)
            }
            return (there, back)
        }

        private func presented(_ shown: UIViewController) throws -> (
            there: [NavigationAction], back: [NavigationAction]
        ) {
            let home = HomeViewController()
            capture.appeared(home)
            let there = try actions {
                shown.presentingViewController = home
                shown.isBeingPresented = true
                capture.appeared(shown)
            }
            let back = try actions {
                shown.isBeingPresented = false
                shown.isBeingDismissed = true
                capture.disappeared(shown)
            }
            return (there, back)
        }

        /// A destination that appears upon another screen, and is left again.
        private func destination(
            by way: NavigationAction = .forward
        ) throws -> (there: [NavigationAction], back: [NavigationAction]) {
            let (home, cart) = (SignalScreen(Home(), name: nil), Cart().signalNavigation(by: way))
            let below = try #require(home.body as? Disappearing<Appearing<Home>>)
            let shown = try #require(cart.body as? Disappearing<Appearing<Cart>>)
            below.content.appear?()
            let there = try actions {
                shown.content.appear?()
                below.disappear?()
            }
            let back = try actions {
                below.content.appear?()
                shown.disappear?()
            }
            return (there, back)
        }

        private func path() throws -> (there: [NavigationAction], back: [NavigationAction]) {
            let box = Box<[Int]>([])
            let stack = SignalNavigationStack(path: box.binding) { Home() }
            let inner = try #require(stack.body as? NavigationStack<[Int], SignalScreen<Home>>)
            return (try actions { inner.path?.wrappedValue = [1] }, try actions { inner.path?.wrappedValue = [] })
        }

        private func tab() throws -> [NavigationAction] {
            let box = Box("Home")
            let tabs = try #require(
                SignalTabView(selection: box.binding) { EmptyView() }.body as? TabView<String, EmptyView>)
            return try actions { tabs.value?.wrappedValue = "Cart" }
        }

        // MARK: The rows

        @Test("The navigation table has a row for each of the seven actions, and for no other action")
        func rows() throws {
            #expect(try Self.table().map(\.action) == Self.order)
            #expect(Set(Self.order) == Set(NavigationAction.allCases.map(\.rawValue)))
        }

        @Test("UIKit makes the navigation signals of the table")
        func uiKit() throws {
            let (push, pop) = try stack()
            let (sheet, dismissed) = try presented(CartViewController())
            let (alert, _) = try presented(UIAlertController())
            let page = try actions { capture.selected("Cart", after: "Home") }
            let made: [String: [[NavigationAction]]] = [
                "entering": [push, pop, sheet], "leaving": [push, pop, dismissed], "forward": [push],
                "backward": [pop, dismissed], "modal": [sheet], "popup": [alert], "page": [page],
            ]
            for row in try Self.table() {
                #expect(!row.uiKit.hasPrefix("–"), "\(row.action) is told of UIKit")
                for actions in made[row.action] ?? [[]] {
                    #expect(actions.map(\.rawValue).contains(row.action), "\(row.action): \(row.uiKit)")
                }
            }
            // Each change makes exactly one action of those that name a way.
            let ways: [NavigationAction] = [.forward, .backward, .modal, .popup, .page]
            for actions in [push, pop, sheet, dismissed, alert, page] {
                #expect(actions.filter(ways.contains).count == 1, "\(actions)")
            }
        }

        @Test("SwiftUI makes the navigation signals of the table")
        func swiftUI() throws {
            let (there, back) = try destination()
            let (grown, shrunk) = try path()
            let page = try tab()
            let (sheet, dismissed) = try destination(by: .modal)
            let (popover, _) = try destination(by: .popup)
            let (unbound, _) = try destination(by: .page)
            let made: [String: [[NavigationAction]]] = [
                "entering": [there, back], "leaving": [there, back], "forward": [there, grown],
                "backward": [back, shrunk, dismissed], "modal": [sheet], "popup": [popover], "page": [page, unbound],
            ]
            for row in try Self.table() {
                #expect(row.swiftUI.hasPrefix("–") == (made[row.action] == nil), "\(row.action): \(row.swiftUI)")
                for actions in made[row.action] ?? [] {
                    #expect(actions.map(\.rawValue).contains(row.action), "\(row.action): \(row.swiftUI)")
                }
            }
        }

        /// The order in which the table has them.
        private static let order = ["entering", "leaving", "forward", "backward", "modal", "popup", "page"]

        private static func table() throws -> [(action: String, uiKit: String, swiftUI: String)] {
            let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
            let guide = root.appendingPathComponent("docs/guides/signal-capture.md")
            let text = try String(contentsOf: guide, encoding: .utf8)
            let section = try #require(text.components(separatedBy: "## Which change gives which action").last)
            let lines = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
            return lines.map { line in
                let cells = line.components(separatedBy: " | ").map { $0.trimmingCharacters(in: ["|", " ", "`"]) }
                return (cells[0], cells[1], cells[2])
            }
        }

        /// A value of an app's, with a binding to it.
        private final class Box<Content>: @unchecked Sendable {
            var value: Content
            init(_ value: Content) { self.value = value }
            var binding: Binding<Content> { Binding(get: { self.value }, set: { self.value = $0 }) }
        }
    }
}
#endif
