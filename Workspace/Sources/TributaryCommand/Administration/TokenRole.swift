import ArgumentParser
import WorkspaceCore
import WorkspaceServer

/// The role of a token on the command line.
enum TokenRole: String, ExpressibleByArgument, CaseIterable {
    case look, deploy, administer
}
