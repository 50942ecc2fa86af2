import ArgumentParser

/// The secret that an operator brings: that of a store or a database.
struct DestinationSecretOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the secret access key of a store, or with the password of a database. Without it the environment \
            variable TRIBUTARY_S3_SECRET or TRIBUTARY_POSTGRES_PASSWORD is read.
            """,
            valueName: "file"))
    var secretFile: String?

    /// The secret, if one is given.
    /// - Parameter variable: where it is without a file.
    func secret(variable: String) throws(Failure) -> String? {
        try TokenSource.token(file: secretFile, variable: variable)
    }
}
