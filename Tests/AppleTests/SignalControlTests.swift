// The controls of the stubs can be used as a user would; SwiftUI's own cannot.
#if canImport(AppleFoundation)
import SwiftUI
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

@Suite("Controls of SwiftUI that make signals", .serialized)
@MainActor
struct SignalControlTests {
    private let signals = Signals { 0 }

    init() {
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY", useSwiftUIAutoSignal: true))
        ControlSignals.signals = signals
        SignalScreens.trail = NavigationTrail()
    }

    /// What was emitted: component or action, title or screen, and data.
    private func emitted() throws -> [JSON] {
        var all: [JSON] = []
        while let entry = signals.next() { all.append(try entry.signal.json()["data"] ?? .null) }
        return all
    }

    @Test("a tap on a button is a signal, and then the app's own")
    func button() throws {
        let order = Value<[String]>([])
        let button = SignalButton("Add To Cart") {
            order.value.append("app after \(signals.waiting) signals")
        }
        try #require(button.body as? Button<Text>).action()
        #expect(order.value == ["app after 1 signals"])
        #expect(try emitted() == [["component": "Button", "title": "Add To Cart", "info": "Add To Cart"]])
        let labelled = SignalButton(action: {}) { Label("Buy", systemImage: "cart") }
        try #require(labelled.body as? Button<Label<Text, Image>>).action()
        let text: Substring = "Sub"
        try #require(SignalButton(text, role: .destructive) {}.body as? Button<Text>).action()
        #expect(try emitted().map { $0["title"] } == ["Buy", "Sub"])
    }

    @Test("switched off, controls do what they do, and make no signals")
    func off() throws {
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
        let taps = Value(0)
        try #require(SignalButton("A") { taps.value += 1 }.body as? Button<Text>).action()
        #expect(taps.value == 1)
        #expect(try emitted().isEmpty)
    }

    @Test("values that change are signals with the new one, and reach the app")
    func values() throws {
        let isOn = Value(false)
        let toggle = try #require(SignalToggle("Offers", isOn: isOn.binding).body as? Toggle<Text>)
        toggle.values.first?.wrappedValue = true
        toggle.values.first?.wrappedValue = true
        #expect(isOn.value)
        let size = Value("S")
        let picker = SignalPicker("Size", selection: size.binding) { EmptyView() }
        try #require(picker.body as? Picker<Text, String, EmptyView>).value.wrappedValue = "XL"
        #expect(size.value == "XL")
        let count = Value(3)
        let stepper = try #require(SignalStepper("Count", value: count.binding).body as? Stepper<Text>)
        stepper.increment?()
        stepper.decrement?()
        #expect(count.value == 3)
        let volume = Value(0.25)
        let slider = try #require(SignalSlider(value: volume.binding).body as? Slider<EmptyView, EmptyView>)
        slider.editing(true)
        slider.editing(false)
        #expect(
            try emitted().map { [$0["component"] ?? .null, $0["title"] ?? .null, $0["data"] ?? .null] } == [
                ["Toggle", "Offers", ["value": true]], ["Picker", "Size", ["value": "XL"]],
                ["Stepper", "Count", ["action": "increment", "value": 4]],
                ["Stepper", "Count", ["action": "decrement", "value": 3]],
                ["Slider", .null, ["value": 0.25]],
            ])
    }

    @Test("a step that cannot be taken stays disabled")
    func disabledStep() throws {
        let stepper = SignalStepper("Count", onIncrement: nil, onDecrement: {})
        let inner = try #require(stepper.body as? Stepper<Text>)
        #expect(inner.increment == nil)
        inner.decrement?()
        #expect(try emitted().map { $0["data"] } == [["action": "decrement"]])
    }

    @Test("a field tells of its focus, never of what is typed")
    func fields() throws {
        let text = Value("secret words")
        let report = try #require(SignalTextField("Name", text: text.binding).body as? FocusReport<TextField<Text>>)
        report.tell(true)
        report.tell(false)
        let secure = SignalSecureField("Password", text: text.binding)
        try #require(secure.body as? FocusReport<SecureField<Text>>).tell(true)
        let all = try emitted()
        #expect(all.map { $0["component"] } == ["TextField", "TextField", "SecureField"])
        #expect(all.map { $0["data"] } == [["focused": true], ["focused": false], ["focused": true]])
        #expect(!all.contains { $0.toString().contains("secret") })
    }

    @Test("a list tells what is selected, and how many")
    func list() throws {
        let many = Value<Set<Int>>([])
        let list = SignalList(selection: many.binding) { EmptyView() }
        let inner = try #require(list.body as? List<Int, EmptyView>)
        inner.many?.wrappedValue = [7]
        inner.many?.wrappedValue = []
        let one = Value<String?>(nil)
        let rows = SignalList(["a", "b"], id: \.self, selection: one.binding) { Text($0) }
        try #require(rows.body as? List<String, ForEach<[String], String, Text>>).one?.wrappedValue = "b"
        #expect(one.value == "b")
        #expect(
            try emitted().map { $0["data"] } == [
                ["action": "item_selected", "selectedCount": 1, "selectedItems": [7]],
                ["action": "item_deselected", "selectedCount": 0, "selectedItems": []],
                ["action": "item_selected", "selectedCount": 1, "selectedItems": ["b"]],
            ])
    }

    @Test("another tab is a page")
    func tabs() throws {
        enum Tab: Hashable { case home, cart }
        let tab = Value(Tab.home)
        let tabs = SignalTabView(selection: tab.binding) { EmptyView() }
        try #require(tabs.body as? TabView<Tab, EmptyView>).value?.wrappedValue = .cart
        let all = try emitted()
        #expect(all.first?["data"] == ["action": "tabSelected", "previousTab": "home", "selectedTab": "cart"])
        #expect(all.last?["action"] == "page")
        #expect(all.last?["screen"] == "cart")
    }

    @Test("a destination is a screen: forward and entering, leaving and backward")
    func navigation() throws {
        let root = SignalNavigationStack { Home() }
        let stack = try #require(root.body as? NavigationStack<NavigationPath, SignalScreen<Home>>)
        let home = try #require(stack.root.body as? Disappearing<Appearing<Home>>)
        home.content.appear?()
        let detail = SignalScreen(Detail(), name: nil)
        let shown = try #require(detail.body as? Disappearing<Appearing<Detail>>)
        shown.content.appear?()
        home.disappear?()
        shown.disappear?()
        home.content.appear?()
        let steps = try emitted().map { "\($0["action"]?.stringValue ?? "") \($0["screen"]?.stringValue ?? "")" }
        #expect(
            steps == [
                "entering Home", "forward Detail", "entering Detail", "leaving Home", "backward Home", "leaving Detail",
                "entering Home",
            ])
    }

    @Test("a path of the app's makes ways by its length")
    func path() throws {
        let path = Value<[String]>([])
        let stack = SignalNavigationStack(path: path.binding) { Home() }
        let inner = try #require(stack.body as? NavigationStack<[String], SignalScreen<Home>>)
        inner.path?.wrappedValue = ["a"]
        inner.path?.wrappedValue = []
        #expect(try emitted().map { $0["action"] } == ["forward", "backward"])
    }

    @Test("the end of a drag is a scroll")
    func scroll() throws {
        let scroll = SignalScrollView { EmptyView() }
        let gesturing = try #require(scroll.body as? Gesturing<ScrollView<EmptyView>, EndedGesture<DragGesture>>)
        gesturing.gesture.end(.init(translation: CGSize(width: 2, height: -40)))
        #expect(try emitted().map { $0["data"]?["direction"] } == ["down"])
    }

    private struct Home: View { var body: some View { EmptyView() } }
    private struct Detail: View { var body: some View { EmptyView() } }

    /// A value of an app's, with a binding to it.
    private final class Value<Content>: @unchecked Sendable {
        var value: Content
        init(_ value: Content) { self.value = value }
        var binding: Binding<Content> { Binding(get: { self.value }, set: { self.value = $0 }) }
    }
}
#endif
