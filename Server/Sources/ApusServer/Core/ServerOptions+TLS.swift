import Apus
import NIOSSL

extension ServerOptions.TLS {
  /// Refuses files that make no server's side of TLS, before anything else is done.
  /// - Throws: ``ApusError``: of kind `file` for one that cannot be read, `configuration` for two that do not
  ///   go together, or cannot be used.
  public func check() throws(ApusError) { _ = try configuration() }

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
