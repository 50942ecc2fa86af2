/// For plugins of the library that keep something of the user, as an id: it goes when the user refuses their consent.
package protocol UserForgetting: AnyObject {
    /// Called behind the events that were tracked with consent, on the client's executor. What is kept from now on is of
    /// somebody else; what is on disk is to be deleted.
    func forgetUser()
}
