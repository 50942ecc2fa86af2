// The controls of the stubs can be used as a user would; SwiftUI's own cannot.
#if canImport(AppleFoundation)
import AppIntents
import SwiftUI
import Testing
import Tributary
import TributaryJSON

@testable import AnalyticsLive

@Suite("Signals of SwiftUI's controls", .serialized)
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
        while let entry = signals.popWaiting() { all.append(try entry.signal.json()["data"] ?? .null) }
        return all
    }

    @Test("A tap on a button makes a signal before the app's action runs")
    func button() throws {
        let order = Value<[String]>([])
        let button = SignalButton("Add To Cart") {
            order.value.append("app after \(signals.waiting) signals")
        }
        try #require(plain(button) as? Button<Text>).action()
        #expect(order.value == ["app after 1 signals"])
        #expect(try emitted() == [["component": "Button", "title": "Add To Cart", "info": "Add To Cart"]])
        let labelled = SignalButton(action: {}) { Label("Buy", systemImage: "cart") }
        try #require(plain(labelled) as? Button<Label<Text, Image>>).action()
        let text: Substring = "Sub"
        try #require(plain(SignalButton(text, role: .destructive) {}) as? Button<Text>).action()
        #expect(try emitted().map { $0["title"] } == ["Buy", "Sub"])
    }

    /// The branch of a view that is drawn.
    private func plain(_ view: any View) -> Any {
        let body: Any = view.body
        return (body as? any OneOfTwo)?.shown ?? body
    }

    @Test("With the capture off, controls work and make no signals")
    func off() throws {
        signals.useConfiguration(SignalsConfiguration(writeKey: "KEY"))
        let taps = Value(0)
        try #require(plain(SignalButton("A") { taps.value += 1 }) as? Button<Text>).action()
        #expect(taps.value == 1)
        #expect(try emitted().isEmpty)
    }

    @Test("A changed value makes a signal with the new value and reaches the app")
    func values() throws {
        let isOn = Value(false)
        let toggle = try #require(plain(SignalToggle("Offers", isOn: isOn.binding)) as? Toggle<Text>)
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

    @Test("A step of a stepper that is not possible stays disabled")
    func disabledStep() throws {
        let stepper = SignalStepper("Count", onIncrement: nil, onDecrement: {})
        let inner = try #require(stepper.body as? Stepper<Text>)
        #expect(inner.increment == nil)
        inner.decrement?()
        #expect(try emitted().map { $0["data"] } == [["action": "decrement"]])
    }

    @Test("A field's signals have its focus and never the typed text")
    func fields() throws {
        let text = Value("secret words")
        let report = try #require(SignalTextField("Name", text: text.binding).body as? FocusReport<TextField<Text>>)
        report.report(true)
        report.report(false)
        let secure = SignalSecureField("Password", text: text.binding)
        try #require(secure.body as? FocusReport<SecureField<Text>>).report(true)
        let all = try emitted()
        #expect(all.map { $0["component"] } == ["TextField", "TextField", "SecureField"])
        #expect(all.map { $0["data"] } == [["focused": true], ["focused": false], ["focused": true]])
        #expect(!all.contains { $0.toString().contains("secret") })
    }

    @Test("A list's signals have the selected items and their number")
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

    @Test("Choosing another tab makes a page signal")
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

    @Test("A navigation destination makes forward and entering signals, and later backward and leaving signals")
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

    @Test("A longer navigation path makes forward, a shorter one backward")
    func path() throws {
        let path = Value<[String]>([])
        let stack = SignalNavigationStack(path: path.binding) { Home() }
        let inner = try #require(stack.body as? NavigationStack<[String], SignalScreen<Home>>)
        inner.path?.wrappedValue = ["a"]
        inner.path?.wrappedValue = []
        #expect(try emitted().map { $0["action"] } == ["forward", "backward"])
    }

    // MARK: Annotations

    @Test("An annotation around a control is the title of its signals, and the nearest annotation counts")
    func annotation() throws {
        let taps = Value(0)
        let button = SignalButton("Label") { taps.value += 1 }
        try drawn(button.signalAnnotation("Outer")) { #expect(tap(button)) }
        try drawn(button.signalAnnotation("Outer")) {
            try drawn(button.signalAnnotation("Inner")) { #expect(tap(button)) }
        }
        #expect(tap(button))
        #expect(taps.value == 3)
        #expect(try emitted().map { $0["title"] } == ["Outer", "Inner", "Label"])
    }

    @Test("An annotation may depend on a state or on a value")
    func annotationOfAState() throws {
        let button = SignalButton(action: {}) { Image(systemName: "heart") }
        for state in [true, false] {
            try drawn(button.signalAnnotation(state: state, true: "Remove", false: "Add")) { #expect(tap(button)) }
        }
        try drawn(button.signalAnnotation(state: 3) { "Set to \($0)" }) { #expect(tap(button)) }
        #expect(tap(button))
        #expect(try emitted().map { $0["title"] } == ["Remove", "Add", "Set to 3", nil])
    }

    @Test("An annotation within a label comes before the label's text")
    func annotationInALabel() throws {
        #expect(tap(SignalButton(action: {}) { Text("Text").signalAnnotation("Annotation") }))
        #expect(tap(SignalButton(action: {}) { Image(systemName: "cart").signalAnnotation("Cart") }))
        #expect(try emitted().map { $0["title"] } == ["Annotation", "Cart"])
    }

    @Test("An annotation is the title of every kind of control")
    func annotatedControls() throws {
        let (isOn, text, level, count, tab) = (Value(false), Value(""), Value(0.0), Value(1), Value("a"))
        let rows = Value<Set<Int>>([])
        try drawn(EmptyView().signalAnnotation("Name")) {
            let toggle = plain(SignalToggle("T", isOn: isOn.binding)) as? Toggle<Text>
            toggle?.values.first?.wrappedValue = true
            let picker =
                SignalPicker("P", selection: tab.binding) { EmptyView() }.body as? Picker<Text, String, EmptyView>
            picker?.value.wrappedValue = "b"
            (SignalStepper("S", value: count.binding).body as? Stepper<Text>)?.increment?()
            (SignalSlider(value: level.binding).body as? Slider<EmptyView, EmptyView>)?.editing(false)
            (SignalTextField("F", text: text.binding).body as? FocusReport<TextField<Text>>)?.report(true)
            (SignalSecureField("F", text: text.binding).body as? FocusReport<SecureField<Text>>)?.report(true)
            (SignalList(selection: rows.binding) { EmptyView() }.body as? List<Int, EmptyView>)?.many?.wrappedValue = [
                1
            ]
            (SignalTabView(selection: tab.binding) { EmptyView() }.body as? TabView<String, EmptyView>)?.value?
                .wrappedValue = "c"
            try scrolls(SignalScrollView { EmptyView() }, x: 0, y: 90)
        }
        let told = try emitted().filter { $0["component"] != nil }
        #expect(
            told.map { $0["component"] } == [
                "Toggle", "Picker", "Stepper", "Slider", "TextField", "SecureField", "List", "TabView", "ScrollView",
            ])
        #expect(told.allSatisfy { $0["title"] == "Name" })
    }

    /// Draws in the environment that the annotation of a view makes.
    private func drawn(_ view: some View, _ draw: () throws -> Void) throws {
        try #require(view as? any Annotated).drawn(draw)
    }

    /// Draws a button and taps on it.
    private func tap<Label>(_ button: SignalButton<Label>) -> Bool {
        guard let drawn = plain(button) as? Button<Label> else { return false }
        drawn.action()
        return true
    }

    // MARK: Further initialisers

    @Test("A picker of several values makes a signal for each value that changes")
    func pickers() throws {
        let (first, second) = (Value("S"), Value("M"))
        let bindings = [first.binding, second.binding]
        let many = SignalPicker("Size", sources: bindings, selection: \.self) { EmptyView() }
        for value in try #require(many.body as? Picker<Text, String, EmptyView>).values { value.wrappedValue = "M" }
        #expect(first.value == "M" && second.value == "M")
        let shown = SignalPicker("Size", selection: first.binding) {
            EmptyView()
        } currentValueLabel: {
            Text("x")
        }
        try #require(shown.body as? Picker<Text, String, EmptyView>).value.wrappedValue = "L"
        let resource = LocalizedStringResource(stringLiteral: "size")
        let named = SignalPicker(resource, systemImage: "ruler", sources: bindings, selection: \.self) { EmptyView() }
        let picker = try #require(named.body as? Picker<Label<Text, Image>, String, EmptyView>)
        picker.values.last?.wrappedValue = "XL"
        #expect(
            try emitted().map { [$0["title"] ?? .null, $0["data"]?["value"] ?? .null] } == [
                ["Size", "M"], ["Size", "L"], ["size", "XL"],
            ])
    }

    @Test("The title of a localized resource is its key, and a text in code stays as it is")
    func resources() throws {
        let title = LocalizedStringResource(stringLiteral: "buy.button")
        #expect(tap(SignalButton(title) {}))
        let icon = try #require(plain(SignalButton(title, systemImage: "cart") {}) as? Button<Label<Text, Image>>)
        icon.action()
        let isOn = Value(false)
        try #require(plain(SignalToggle(title, isOn: isOn.binding)) as? Toggle<Text>).values.first?.wrappedValue = true
        let field = SignalTextField(title, text: Value("").binding)
        try #require(field.body as? FocusReport<TextField<Text>>).report(true)
        try #require(SignalStepper(title, value: Value(1).binding).body as? Stepper<Text>).increment?()
        #expect(try emitted().allSatisfy { $0["title"] == "buy.button" })
        #expect(tap(SignalButton("Plain") {}))
        #expect(try emitted().map { $0["title"] } == ["Plain"])
    }

    @Test("A slider with ticks makes a signal when the user lets it go")
    func ticks() throws {
        let level = Value(0.5)
        let steps = SignalSlider(value: level.binding, in: 0...1, step: 0.25) {
            Text("Level")
        } tick: {
            SliderTick($0)
        }
        try #require(steps.body as? Slider<Text, EmptyView>).editing(false)
        let own = SignalSlider(value: level.binding, neutralValue: 0.2) {
            Text("Own")
        } ticks: {
            SliderTick(0.75)
        }
        try #require(own.body as? Slider<Text, EmptyView>).editing(false)
        #expect(try emitted().map { $0["title"] } == ["Level", "Own"])
    }

    @Test("Lists of trees and editable lists make signals of their selections")
    func boundLists() throws {
        struct Node: Identifiable {
            let id: Int
            var nodes: [Node]?
        }
        let nodes = Value([Node(id: 1, nodes: [Node(id: 2)])])
        let chosen = Value<Int?>(nil)
        let tree = SignalList(nodes.binding, children: \.nodes, selection: chosen.binding) { _ in EmptyView() }
        try #require(tree.body as? any Selecting).select(2)
        #expect(chosen.value == 2)
        let edited = SignalList(nodes.binding, editActions: [.delete, .move], selection: chosen.binding) { _ in
            EmptyView()
        }
        try #require(edited.body as? any Selecting).select(1)
        #expect(try emitted().map { $0["data"]?["selectedItems"] } == [[2], [1]])
    }

    private struct Order: AppIntent {}

    @Test("A tap that starts an intent makes a signal too")
    func intents() throws {
        let button = SignalButton("Order", intent: Order())
        try #require(plain(button) as? Gesturing<Button<Text>, _EndedGesture<TapGesture>>).gesture.end(())
        let role = SignalButton(role: .destructive, intent: Order()) { Label("Clear", systemImage: "trash") }
        try #require(plain(role) as? Gesturing<Button<Label<Text, Image>>, _EndedGesture<TapGesture>>).gesture.end(())
        let toggle = SignalToggle("Light", isOn: true, intent: Order())
        try #require(plain(toggle) as? Gesturing<Toggle<Text>, _EndedGesture<TapGesture>>).gesture.end(())
        #expect(
            try emitted().map { [$0["component"] ?? .null, $0["title"] ?? .null, $0["data"] ?? .null] } == [
                ["Button", "Order", .null], ["Button", "Clear", .null], ["Toggle", "Light", ["value": false]],
            ])
    }

    @Test("A movement of the content makes one scroll signal, when the user lets go")
    func scroll() throws {
        try scrolls(SignalScrollView { EmptyView() }, x: 2, y: 40)
        let signals = try emitted()
        #expect(signals.map { $0["data"]?["direction"] } == ["down"])
        #expect(signals.first?["data"]?["deltaY"]?.doubleValue == 40)
    }

    /// Lets a user move the content so far, as newer systems report it.
    private func scrolls(_ view: SignalScrollView<EmptyView>, x: Double, y: Double) throws {
        let shown =
            view.body as? _ConditionalContent<AnyView, Gesturing<ScrollView<EmptyView>, _EndedGesture<DragGesture>>>
        let scrolling = try #require(shown?.first?.view as? Scrolling<ScrollView<EmptyView>>)
        scrolling.change(.idle, .tracking, .init(x: 0, y: 0))
        scrolling.change(.tracking, .interacting, .init(x: 0, y: 0))
        scrolling.change(.interacting, .decelerating, .init(x: x, y: y))
        scrolling.change(.decelerating, .idle, .init(x: x, y: 3 * y))
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

/// A view that shows one of two.
@MainActor private protocol OneOfTwo {
    var shown: Any? { get }
}

extension _ConditionalContent: OneOfTwo {
    @MainActor fileprivate var shown: Any? {
        if let first { return (first as? any OneOfTwo)?.shown ?? first }
        return second.map { ($0 as? any OneOfTwo)?.shown ?? $0 }
    }
}

/// A view with an annotation.
@MainActor private protocol Annotated {
    func drawn(_ draw: () throws -> Void) throws
}

extension ModifiedContent: Annotated where Modifier == SignalAnnotation {
    @MainActor fileprivate func drawn(_ draw: () throws -> Void) throws {
        let body: Any = modifier.body(content: _ViewModifier_Content<SignalAnnotation>())
        try (body as? Environmental<_ViewModifier_Content<SignalAnnotation>>)?.draw { _ in try draw() }
    }
}

/// A list of which one row can be selected.
@MainActor private protocol Selecting {
    func select(_ row: Int)
}

extension List: Selecting where SelectionValue == Int {
    @MainActor fileprivate func select(_ row: Int) { one?.wrappedValue = row }
}
#endif
