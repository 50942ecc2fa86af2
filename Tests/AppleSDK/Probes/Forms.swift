// SwiftUI as apps write it, with the aliases of docs/guides/signal-capture.md. `scripts/check-apple --sdk` compiles this file in
// Swift 5 and in Swift 6 mode: an app that adds the aliases must not need another change.
import AnalyticsLive
import Foundation
import SwiftUI

typealias Button = SignalButton
typealias NavigationLink = SignalNavigationLink
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
typealias NavigationStack = SignalNavigationStack
typealias TextField = SignalTextField
typealias SecureField = SignalSecureField
typealias Toggle = SignalToggle
typealias Picker = SignalPicker
typealias Slider = SignalSlider
@available(watchOS 9, *)
typealias Stepper = SignalStepper
typealias List = SignalList
typealias TabView = SignalTabView
typealias ScrollView = SignalScrollView

struct Item: Identifiable, Hashable {
    let id: Int
    var name = ""
    var isDone = false
    var children: [Item]?
}

enum Flavour: String, CaseIterable, Identifiable {
    case vanilla, chocolate
    var id: Self { self }
}

final class Model: ObservableObject {
    @Published var name = ""
    @Published var items: [Item] = []
    @Published var selected: Item?
    func save() {}
    @MainActor func load() {}
}

// MARK: Buttons

struct StoredClosure: View {
    let action: () -> Void
    var optional: (() -> Void)?
    var body: some View {
        VStack {
            Button(action: action) { Text("Stored") }
            Button("Stored", action: action)
            Button(action: { optional?() }, label: { Image(systemName: "star") })
            Button("Call") { action() }
        }
    }
}

struct MainActorClosure: View {
    let action: @MainActor () -> Void
    var body: some View { Button("Main", action: action) }
}

struct Buttons: View {
    @ObservedObject var model: Model
    @Environment(\.dismiss) private var dismiss
    @State private var isShown = false
    let title: String
    let key: LocalizedStringKey

    private func close() { isShown = false }

    var body: some View {
        VStack {
            Button("Save", action: model.save)
            Button("Load", action: model.load)
            Button("Close", action: close)
            Button("Dismiss", action: dismiss.callAsFunction)
            Button(title) { isShown.toggle() }
            Button(key) { isShown = true }
            Button("Delete", role: .destructive) { model.items.removeAll() }
            Button(role: .cancel) {
                close()
            } label: {
                Label("Cancel", systemImage: "xmark")
            }
            Button("Add", systemImage: "plus") { model.items.append(Item(id: 1)) }
            Button {
                Task {
                    await Task.yield(); model.save()
                }
            } label: {
                Text("Task")
            }
            Button {
                withAnimation { isShown.toggle() }
            } label: {
                HStack {
                    Image(systemName: "plus"); Text("Long")
                }
            }
            .buttonStyle(.bordered)
            .disabled(title.isEmpty)
            .keyboardShortcut(.defaultAction)
        }
        .alert("Sure?", isPresented: $isShown) {
            Button("OK", role: .destructive) {}
            Button("Cancel", role: .cancel) {}
        }
        .toolbar { ToolbarItem(placement: .primaryAction) { Button("Done") { dismiss() } } }
        .contextMenu { Button("Copy", action: close) }
        .swipeActions { Button("Remove", role: .destructive, action: close) }
        .confirmationDialog("Options", isPresented: $isShown) { ForEach(model.items) { item in Button(item.name) {} } }
    }
}

struct PressStyle: PrimitiveButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        Button(configuration).onLongPressGesture(perform: configuration.trigger)
    }
}

struct TriggerStyle: PrimitiveButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        Button(action: configuration.trigger) { configuration.label }
    }
}

extension Button where Label == Text {
    init(confirming action: @escaping () -> Void) { self.init("OK", action: action) }
}

// MARK: Fields

struct Fields: View {
    enum Field: Hashable { case name, password }
    @State private var name = ""
    @State private var count = 0
    @State private var price: Double?
    @State private var date = Date()
    @State private var password = ""
    @State private var isOn = false
    @State private var flags: [Item] = []
    @FocusState private var focus: Field?
    @Binding var note: String
    @Binding var optional: String?

    var body: some View {
        Form {
            TextField("Name", text: $name).focused($focus, equals: .name).onSubmit { focus = .password }
            TextField("Name", text: $name, prompt: Text("Your name"))
            TextField("Note", text: $note, axis: .vertical).lineLimit(3...6)
            TextField("Optional", text: Binding(get: { optional ?? "" }, set: { optional = $0 }))
            TextField("Count", value: $count, format: .number)
            TextField("Price", value: $price, format: .currency(code: "EUR"))
            TextField("Price", value: $count, formatter: NumberFormatter())
            TextField(text: $name) { Text("Label") }
            TextField("Old", text: $name, onCommit: { focus = nil })
            TextField("Old", text: $name, onEditingChanged: { _ in }, onCommit: {})
            SecureField("Password", text: $password).textContentType(.password)
            SecureField("Password", text: $password, prompt: Text("Secret"))
            SecureField(text: $password) { Text("Password") }
            Toggle("On", isOn: $isOn).toggleStyle(.switch)
            Toggle(isOn: $isOn) { Text("On") }
            Toggle("On", systemImage: "star", isOn: $isOn)
            Toggle("All", sources: $flags, isOn: \.isDone)
            ForEach($flags) { $flag in Toggle(flag.name, isOn: $flag.isDone) }
        }
        .onChange(of: name) { focus = .password }
    }
}

// MARK: Pickers, sliders, steppers

struct Values: View {
    @State private var flavour = Flavour.vanilla
    @State private var wish: Flavour?
    @State private var volume = 0.5
    @State private var count = 0
    @State private var amount: CGFloat = 1
    let changed: (Bool) -> Void

    private func more() { count += 1 }

    var body: some View {
        VStack {
            Picker("Flavour", selection: $flavour) { ForEach(Flavour.allCases) { Text($0.rawValue).tag($0) } }
                .pickerStyle(.segmented)
            Picker("Wish", selection: $wish) {
                Text("None").tag(Flavour?.none); Text("One").tag(Flavour?.some(.vanilla))
            }
            Picker(selection: $flavour) {
                Text("A").tag(Flavour.vanilla)
            } label: {
                Text("Flavour")
            }
            Picker(selection: $flavour, label: Text("Old")) { Text("A").tag(Flavour.vanilla) }
            Slider(value: $volume)
            Slider(value: $volume, in: 0...10)
            Slider(value: $volume, in: 0...10, step: 0.5)
            Slider(value: $volume, in: 0...10, onEditingChanged: changed)
            Slider(value: $volume, in: 0...10, step: 1) { changed($0) }
            Slider(value: $volume) { Text("Volume") }
            Slider(value: $volume, in: 0...1) { Text("Volume") }
            Slider(value: $volume, in: 0...1, step: 0.1) { Text("Volume") }
            Slider(value: $volume, label: { Text("Volume") })
            Slider(value: $volume, in: 0...1) {
                Text("V")
            } minimumValueLabel: {
                Text("0")
            } maximumValueLabel: {
                Text("1")
            }
            Slider(value: $amount, in: 0...1) {
                Text("V")
            } onEditingChanged: {
                changed($0)
            }
            Stepper("Count", value: $count)
            Stepper("Count", value: $count, in: 0...10)
            Stepper("Count \(count)", value: $count, in: 0...10, step: 2)
            Stepper("Count") {
                count += 1
            } onDecrement: {
                count -= 1
            }
            Stepper("Count", onIncrement: more, onDecrement: { count -= 1 })
            Stepper("Count", onIncrement: count < 3 ? { more() } : nil, onDecrement: nil)
            Stepper {
                Text("Count")
            } onIncrement: {
                count += 1
            } onDecrement: {
                count -= 1
            }
            Stepper(value: $count) { Text("Count") }
            Stepper(value: $count, in: 0...10) { Text("Count") }
            Stepper(value: $count, in: 0...10, step: 2) { Text("Count") }
            Stepper(value: $count, in: 0...10, step: 2, label: { Text("Count") })
            Stepper(onIncrement: more, onDecrement: more) { Text("Count") }
            Stepper(value: $volume, format: .number) { Text("Count") }
        }
    }
}

// MARK: Lists, stacks, tabs

struct Lists: View {
    @ObservedObject var model: Model
    @State private var items: [Item] = []
    @State private var one: Item.ID?
    @State private var many: Set<Item.ID> = []
    @State private var chosen: Item?

    var body: some View {
        VStack {
            List {
                Text("A"); ForEach(items) { Text($0.name) }.onDelete { items.remove(atOffsets: $0) }
            }
            .listStyle(.insetGrouped)
            .refreshable { await Task.yield() }
            List(items) { Text($0.name) }
            List(items) { item in NavigationLink(item.name, value: item) }
            List(items, id: \.self) { Text($0.name) }
            List(0..<5) { Text("\($0)") }
            List($items) { $item in TextField("Name", text: $item.name) }
            List($items, selection: $many) { $item in Toggle(item.name, isOn: $item.isDone) }
            List($items, selection: $one) { $item in Text(item.name) }
            List($model.items) { $item in Toggle(item.name, isOn: $item.isDone) }
            List(items, selection: $one) { Text($0.name) }
            List(items, selection: $many) { Text($0.name) }
            List(selection: $chosen) { ForEach(items) { Text($0.name).tag($0) } }
            List(selection: $many) { ForEach(items) { Text($0.name) } }
            List(items, children: \.children) { Text($0.name) }
            List($items, editActions: .all) { $item in Text(item.name) }
        }
    }
}

struct Navigation: View {
    @State private var path = NavigationPath()
    @State private var items: [Item] = []
    @State private var isActive = false
    @State private var tab = 0
    @State private var flavour = Flavour.vanilla

    var body: some View {
        TabView(selection: $tab) {
            NavigationStack {
                ScrollView {
                    LazyVStack {
                        NavigationLink("Text") { Text("Page") }
                        NavigationLink {
                            Text("Page")
                        } label: {
                            Label("Page", systemImage: "star")
                        }
                        NavigationLink("Value", value: Item(id: 1))
                        NavigationLink(value: Item(id: 2)) { Text("Value") }
                        NavigationLink("Old", destination: Text("Page"))
                        NavigationLink(destination: Text("Page")) { Text("Old") }
                    }
                }
                .navigationDestination(for: Item.self) { Text($0.name) }
                .navigationTitle("Home")
            }
            .tabItem { Label("Home", systemImage: "house") }
            .tag(0)
            NavigationStack(path: $path) { ScrollView(.horizontal) { Text("A") } }.tag(1)
            NavigationStack(path: $items) {
                ScrollView([.horizontal, .vertical], showsIndicators: false) { Text("A") }
            }.tag(2)
        }
        .tabViewStyle(.page)
        TabView { Text("A").tabItem { Text("A") } }
        TabView(selection: $flavour) { ForEach(Flavour.allCases) { Text($0.rawValue).tag($0) } }
    }
}
