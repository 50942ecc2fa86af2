#if canImport(SwiftUI) && os(macOS)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4). Only
// macOS has selections of exactly one row.

@available(macOS 13.0, *)
extension SignalList {
    /// A list of rows of which exactly one is selected.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        let name = ControlName()
        self.init(List(selection: selection.observedExactly(name), content: content), name)
    }

    /// The same of rows that are computed from data.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable
    {
        let name = ControlName()
        self.init(List(data, selection: selection.observedExactly(name), rowContent: rowContent), name)
    }

    /// The same of rows that are computed from data, with their ids.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == ForEach<Data, ID, RowContent>
    {
        let name = ControlName()
        self.init(List(data, id: id, selection: selection.observedExactly(name), rowContent: rowContent), name)
    }

    /// The same of rows that are numbered.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<RowContent: View>(
        _ data: Range<Int>, selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Int) -> RowContent
    )
    where
        Content == ForEach<Range<Int>, Int, RowContent>
    {
        let name = ControlName()
        // Written out, because no documentation says which type SwiftUI's own initialiser gives its rows.
        let rows = ForEach(data, content: rowContent)
        self.init(List(selection: selection.observedExactly(name), content: { rows }), name)
    }

    /// The same of a tree of rows.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data, children: KeyPath<Data.Element, Data?>, selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    {
        let name = ControlName()
        self.init(
            List(data, children: children, selection: selection.observedExactly(name), rowContent: rowContent), name)
    }

    /// The same of a tree of rows, with their ids.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Data, id: KeyPath<Data.Element, ID>, children: KeyPath<Data.Element, Data?>,
        selection: Binding<SelectionValue>, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent
    )
    where
        Content == OutlineGroup<
            Data, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >
    {
        let name = ControlName()
        self.init(
            List(data, id: id, children: children, selection: selection.observedExactly(name), rowContent: rowContent),
            name
        )
    }

    /// The same of a tree of rows with bound data.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, children: WritableKeyPath<Data.Element, Data?>,
        selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == OutlineGroup<
            Binding<Data>, Data.Element.ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >, Data.Element: Identifiable
    {
        let name = ControlName()
        self.init(
            List(data, children: children, selection: selection.observedExactly(name), rowContent: rowContent), name)
    }

    /// The same of a tree of rows with bound data, with their ids.
    @_disfavoredOverload
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>, children: WritableKeyPath<Data.Element, Data?>,
        selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == OutlineGroup<
            Binding<Data>, ID, RowContent, RowContent, DisclosureGroup<RowContent, OutlineSubgroupChildren>
        >
    {
        let name = ControlName()
        self.init(
            List(data, id: id, children: children, selection: selection.observedExactly(name), rowContent: rowContent),
            name
        )
    }

    /// The same of rows that can be moved and deleted.
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, RowContent: View>(
        _ data: Binding<Data>, editActions: EditActions<Data>,
        selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<
            IndexedIdentifierCollection<Data, Data.Element.ID>, Data.Element.ID,
            EditableCollectionContent<RowContent, Data>
        >, Data.Index: Hashable, Data.Element: Identifiable
    {
        let name = ControlName()
        self.init(
            List(data, editActions: editActions, selection: selection.observedExactly(name), rowContent: rowContent),
            name)
    }

    /// The same of rows that can be moved and deleted, with their ids.
    @MainActor @preconcurrency
    public init<Data: MutableCollection & RandomAccessCollection, ID: Hashable, RowContent: View>(
        _ data: Binding<Data>, id: KeyPath<Data.Element, ID>, editActions: EditActions<Data>,
        selection: Binding<SelectionValue>,
        @ViewBuilder rowContent: @escaping (Binding<Data.Element>) -> RowContent
    )
    where
        Content == ForEach<
            IndexedIdentifierCollection<Data, ID>, ID, EditableCollectionContent<RowContent, Data>
        >, Data.Index: Hashable
    {
        let name = ControlName()
        self.init(
            List(
                data, id: id, editActions: editActions, selection: selection.observedExactly(name),
                rowContent: rowContent),
            name)
    }
}
#endif
