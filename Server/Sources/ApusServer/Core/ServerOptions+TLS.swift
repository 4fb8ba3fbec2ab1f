import Apus
import NIOSSL

extension ServerOptions.TLS {
  /// Refuses files that make no server's side of TLS, before anything else is done.
  /// - Throws: ``ApusError``: of kind `file` for one that cannot be read, `configuration` for two that do not
  ///   go together, or cannot be used.
  public func check() throws(ApusError) { _ = try configuration() }

  /// Those of TLS 1.2 whose records nobody reads later who gets hold of the key by then (forward secrecy); all of TLS 1.3
  /// are such.
  private static let cipherSuites: [NIOTLSCipher] = [
    .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
  ]

  /// - Throws: as ``check()``.
  func configuration() throws(ApusError) -> TLSConfiguration {
    guard let certificates = try? NIOSSLCertificate.fromPEMFile(certificate), !certificates.isEmpty else {
      throw ApusError(.file, "no certificate can be read", expected: "PEM", file: certificate)
    }
    guard let privateKey = try? NIOSSLPrivateKey(file: key, format: .pem) else {
      throw ApusError(.file, "no private key can be read", expected: "PEM, not encrypted", file: key)
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuiteValues = Self.cipherSuites
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw ApusError(
        .configuration, "certificate and private key do not go together, or cannot be used: \(error)",
        expected:
          "the key that the first certificate of \(certificate) was made with, of a kind that TLS takes",
        file: key)
    }
    return configuration
  }
}
