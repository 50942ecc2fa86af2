/// For plugins of the library that store data of the user, such as an id. The data is deleted when the user refuses
/// consent.
package protocol UserForgetting: AnyObject {
    /// Called on the client's executor after the events that were tracked with consent. The plugin deletes its data on
    /// disk, and begins with new data for a new user.
    func forgetUser()
}
