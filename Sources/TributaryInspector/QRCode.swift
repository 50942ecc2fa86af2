#if canImport(CoreImage)
import CoreGraphics
import CoreImage
import Foundation

/// A QR code of a text, drawn by the system.
enum QRCode {
    /// One pixel for each square of the code; nil when the system cannot draw it, or when the text is too long for a code.
    static func image(of text: String) -> CGImage? {
        guard let filter = CIFilter(name: "CIQRCodeGenerator") else { return nil }
        filter.setValue(Data(text.utf8), forKey: "inputMessage")
        guard let image = filter.outputImage else { return nil }
        return CIContext().createCGImage(image, from: image.extent)
    }
}
#endif
