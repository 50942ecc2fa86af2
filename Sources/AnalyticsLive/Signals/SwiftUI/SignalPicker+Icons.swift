#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 18 and macOS 15 (Xcode 16.4).
// Initialisers with a `LocalizedStringResource`, of the SDK of iOS 26, are there for every SDK.

@available(iOS 14.0, macOS 11.0, tvOS 14.0, watchOS 7.0, *)
extension SignalPicker where Label == SwiftUI.Label<Text, Image> {
    /// A picker with a text and a symbol.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker of several values with a text and a symbol.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, systemImage: String, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker of several values with a text and a symbol.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, systemImage: String, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker of several values with a text and a symbol.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, systemImage: String, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker that shows what is chosen with a text and a symbol.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init(
        _ title: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker that shows what is chosen with a text and a symbol.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, systemImage: String, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker that shows what is chosen with a text and a symbol.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker of several values that shows what is chosen with a text and a symbol.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, systemImage: String, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker of several values that shows what is chosen with a text and a symbol.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, systemImage: String, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker of several values that shows what is chosen with a text and a symbol.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, systemImage: String, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) {
            Label {
                Text(title)
            } icon: {
                Image(systemName: systemImage)
            }
        }
    }

    /// A picker with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, image: ImageResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker of several values with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, image: ImageResource, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker of several values with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, image: ImageResource, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker of several values with a text and an image.
    @available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *)
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, image: ImageResource, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(ViewTitle.of(title), sources: sources, selection: selection, content: content) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker that shows what is chosen with a text and an image.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init(
        _ title: LocalizedStringKey, image: ImageResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker that shows what is chosen with a text and an image.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol>(
        _ title: S, image: ImageResource, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker that shows what is chosen with a text and an image.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, image: ImageResource, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content,
        @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(ViewTitle.of(title), selection: selection, content: content, currentValueLabel: currentValueLabel) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker of several values that shows what is chosen with a text and an image.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringKey, image: ImageResource, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker of several values that shows what is chosen with a text and an image.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<S: StringProtocol, C: RandomAccessCollection>(
        _ title: S, image: ImageResource, sources: C, selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }

    /// A picker of several values that shows what is chosen with a text and an image.
    @available(iOS 18.0, macOS 15.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @_disfavoredOverload
    public init<C: RandomAccessCollection>(
        _ title: LocalizedStringResource, image: ImageResource, sources: C,
        selection: KeyPath<C.Element, Binding<SelectionValue>>,
        @ViewBuilder content: () -> Content, @ViewBuilder currentValueLabel: () -> some View
    ) {
        self.init(
            ViewTitle.of(title), sources: sources, selection: selection, content: content,
            currentValueLabel: currentValueLabel
        ) {
            Label {
                Text(title)
            } icon: {
                Image(image)
            }
        }
    }
}
#endif
