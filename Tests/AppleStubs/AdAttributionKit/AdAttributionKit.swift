// https://developer.apple.com/documentation/adattributionkit/postback
@available(iOS 17.4, *)
public struct Postback {
    // https://developer.apple.com/documentation/adattributionkit/postback/updateconversionvalue(_:lockpostback:)
    public static func updateConversionValue(_ fineConversionValue: Int, lockPostback: Bool) async throws {}
}
