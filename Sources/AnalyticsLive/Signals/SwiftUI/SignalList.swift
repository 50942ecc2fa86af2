#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4), under
// the same names and with the same conditions. Trees with bound rows and lists that can be edited are in
// SignalList+Bound.swift, selections of exactly one row (macOS) in SignalList+ExactlyOne.swift.

/// A list that emits a signal at each change of its selection. Everything else is SwiftUI's.
nonisolated public struct SignalList<SelectionValue: Hashable, Content: View>: View {
    private let list: List<SelectionValue, Content>
    private let name: ControlName
    @Environment(\.signalAnnotation) private var annotation

    @MainActor public var body: some View {
        name.annotation = annotation
        return list
    }

    init(_ list: List<SelectionValue, Content>, _ name: ControlName = ControlName()) {
        self.list = list
        self.name = name
    }
}

extension SignalList where SelectionValue == Never {
    /// A list of rows.
    @MainActor @preconcurrency
    public init(@ViewBuilder content: () -> Content) {
        self.init(List(content: content))
    }

    /// A list of rows that are computed from data.
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        self.init(List(data, rowContent: rowContent))
    }

    /// A list of rows that are computed from data, with their ids.
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        self.init(List(data, id: id, rowContent: rowContent))
    }

    /// A list of rows that are numbered.
    @MainActor @preconcurrency
    public init<RowContent: View>(
        _ data: Range<Int>,
        @ViewBuilder rowContent: @escaping (Int) -> RowContent
    ) where Content == ForEach<Range<Int>, Int, RowContent> {
        self.init(List(data, rowContent: rowContent))
    }

    /// A list of rows with bound data.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, Data.Element.ID)>, Data.Element.ID, RowContent>,
        Data.Element: Identifiable, Data.Index: Hashable
    {
        self.init(List(data, rowContent: rowContent))
    }

    /// A list of rows with bound data, with their ids.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, ID)>, ID, RowContent>, Data.Index: Hashable {
        self.init(List(data, id: id, rowContent: rowContent))
    }

    #if !os(tvOS) && !os(watchOS)
    /// A list of a tree of rows.
    @available(iOS 14.0, macOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    {
        self.init(List(data, children: children, rowContent: rowContent))
    }
    #endif

    #if !os(tvOS) && !os(watchOS)
    /// A list of a tree of rows, with their ids.
    @available(iOS 14.0, macOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>>
    {
        self.init(List(data, id: id, children: children, rowContent: rowContent))
    }
    #endif
}

extension SignalList {
    /// A list of rows that can be selected.
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init(selection: Binding<Set<SelectionValue>>?, @ViewBuilder content: () -> Content) {
        let name = ControlName()
        self.init(List(selection: selection?.observed(name), content: content), name)
    }

    /// A list of rows that are computed from data that can be selected.
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        let name = ControlName()
        self.init(List(data, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows that are computed from data, with their ids that can be selected.
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        let name = ControlName()
        self.init(List(data, id: id, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows that are numbered that can be selected.
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<RowContent: View>(
        _ data: Range<Int>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Int) -> RowContent
    ) where Content == ForEach<Range<Int>, Int, HStack<RowContent>> {
        let name = ControlName()
        self.init(List(data, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows with bound data that can be selected.
    @available(watchOS, unavailable)
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, Data.Element.ID)>, Data.Element.ID, RowContent>,
        Data.Element: Identifiable, Data.Index: Hashable
    {
        let name = ControlName()
        self.init(List(data, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows with bound data, with their ids that can be selected.
    @available(watchOS, unavailable)
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, ID)>, ID, RowContent>, Data.Index: Hashable {
        let name = ControlName()
        self.init(List(data, id: id, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    #if !os(tvOS) && !os(watchOS)
    /// A list of a tree of rows that can be selected.
    @available(iOS 14.0, macOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>, selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    {
        let name = ControlName()
        self.init(List(data, children: children, selection: selection?.observed(name), rowContent: rowContent), name)
    }
    #endif

    #if !os(tvOS) && !os(watchOS)
    /// A list of a tree of rows, with their ids that can be selected.
    @available(iOS 14.0, macOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        selection: Binding<Set<SelectionValue>>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>>
    {
        let name = ControlName()
        self.init(
            List(data, id: id, children: children, selection: selection?.observed(name), rowContent: rowContent), name)
    }
    #endif
}

extension SignalList {
    /// A list of rows of which one can be selected.
    @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 10.0, *)
    @MainActor @preconcurrency
    public init(selection: Binding<SelectionValue?>?, @ViewBuilder content: () -> Content) {
        let name = ControlName()
        self.init(List(selection: selection?.observed(name), content: content), name)
    }

    /// A list of rows that are computed from data of which one can be selected.
    @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 10.0, *)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable {
        let name = ControlName()
        self.init(List(data, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows that are computed from data, with their ids of which one can be selected.
    @available(iOS 13.0, macOS 10.15, tvOS 13.0, watchOS 10.0, *)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    ) where Content == ForEach<Data, ID, RowContent> {
        let name = ControlName()
        self.init(List(data, id: id, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows that are numbered of which one can be selected.
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<RowContent: View>(
        _ data: Range<Int>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Int) -> RowContent
    ) where Content == ForEach<Range<Int>, Int, RowContent> {
        let name = ControlName()
        self.init(List(data, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows with bound data of which one can be selected.
    @available(watchOS, unavailable)
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, Data.Element.ID)>, Data.Element.ID, RowContent>,
        Data.Element: Identifiable, Data.Index: Hashable
    {
        let name = ControlName()
        self.init(List(data, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    /// A list of rows with bound data, with their ids of which one can be selected.
    @available(watchOS, unavailable)
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    ) where Content == ForEach<LazyMapSequence<Data.Indices, (Data.Index, ID)>, ID, RowContent>, Data.Index: Hashable {
        let name = ControlName()
        self.init(List(data, id: id, selection: selection?.observed(name), rowContent: rowContent), name)
    }

    #if !os(tvOS) && !os(watchOS)
    /// A list of a tree of rows of which one can be selected.
    @available(iOS 14.0, macOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>, selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    {
        let name = ControlName()
        self.init(List(data, children: children, selection: selection?.observed(name), rowContent: rowContent), name)
    }
    #endif

    #if !os(tvOS) && !os(watchOS)
    /// A list of a tree of rows, with their ids of which one can be selected.
    @available(iOS 14.0, macOS 11.0, *)
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        selection: Binding<SelectionValue?>?,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>>
    {
        let name = ControlName()
        self.init(
            List(data, id: id, children: children, selection: selection?.observed(name), rowContent: rowContent), name)
    }
    #endif
}
#endif
