package dev.caisson.http;

import java.nio.file.Path;

/// A certificate chain (own certificate first) and its unencrypted PKCS#8 private key, both as PEM
/// files.
public record HttpTls(Path certificates, Path privateKey) {}
