package dev.caisson.config;

/// Syntax of a text, where the type of a record component does not say enough.
public enum Form {
    /// What the type says.
    OF_TYPE,
    /// `localhost` or an IP address.
    HOST,
    /// Origins of web pages.
    ORIGIN,
    /// IP addresses or networks.
    NETWORK,
    /// Text without a space, with a least length.
    SECRET,
    /// URL of a collector, without room for a password.
    ENDPOINT,
    /// Address of a PostgreSQL database.
    DATABASE,
    /// Items of a list, or `true` for all of them.
    ALL_OR_SOME
}
