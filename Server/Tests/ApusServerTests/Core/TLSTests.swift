import Apus
import FoundationEssentials
import Testing

@testable import ApusServer

/// Files for TLS are looked at before the server listens, and refused by name.
@Suite struct TLSTests {
  /// Of a certificate, the key that it was made with, and another; made for these tests alone.
  private static let certificate = """
    -----BEGIN CERTIFICATE-----
    MIIBgDCCASWgAwIBAgIUXWuk2fDcTb/wJoEtQf/qSO8zbh0wCgYIKoZIzj0EAwIw
    FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjExNTYwMFoYDzIxMjYxMTAy
    MTE1NjAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
    PQMBBwNCAATNQMbYf/UR7lTiBzw3T644UJG3iYp6fBQzGQ/34RLpo5XcSvrt2pPQ
    o2g7PYlkPtMR4qK/G3GojQu3feogsjOzo1MwUTAdBgNVHQ4EFgQUr55LxYffxeA4
    IwKDDXJoIv8a/ycwHwYDVR0jBBgwFoAUr55LxYffxeA4IwKDDXJoIv8a/ycwDwYD
    VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAoGgQDNI2ApYp2hVYf1M4
    rPHvnrHDJxEEzr5mBHOcDhACIQDGmwhVIAVFh7Llrh3Uv31/OVbFgLebl+Dx8C+r
    3Bo7lQ==
    -----END CERTIFICATE-----

    """
  private static let key = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEOdWbJXPg/R8+hEv
    dZaANhAzv3syz7fmBqS9jK4sqZuhRANCAATNQMbYf/UR7lTiBzw3T644UJG3iYp6
    fBQzGQ/34RLpo5XcSvrt2pPQo2g7PYlkPtMR4qK/G3GojQu3feogsjOz
    -----END PRIVATE KEY-----

    """
  private static let otherKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbpYlPYrB7/TPVYru
    kV+1alsymf+2cSOuvvgrNq1Q0U6hRANCAASsiXcnoUTvviKhnEI9W/WGNyTRmDUt
    HxDVRV9DeJjUnH6SGisY+hmWU13J2hqxYAxPIhuHhz33EomPOmLIcMhX
    -----END PRIVATE KEY-----

    """

  /// Of TLS 1.2 only suites with an exchange of keys that are made anew for each connection.
  @Test func recordsStaySecret() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "tls-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["server.crt": Self.certificate, "server.key": Self.key]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    let configuration = try ServerOptions.TLS(
      certificate: folder.appending(path: "server.crt").path(),
      key: folder.appending(path: "server.key").path()
    ).configuration()
    // ECDHE with AES-GCM or ChaCha20 (RFC 5289, RFC 7905).
    let secret: Set<UInt16> = [0xC02B, 0xC02C, 0xC02F, 0xC030, 0xCCA8, 0xCCA9]
    let suites = configuration.cipherSuiteValues.map(\.rawValue)
    #expect(!suites.isEmpty && secret.isSuperset(of: suites))
  }

  private func refusal(_ certificate: String, _ key: String) throws -> ApusError? {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "tls-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = ["server.crt": certificate, "server.key": key]
    for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
    do throws(ApusError) {
      try ServerOptions.TLS(
        certificate: folder.appending(path: "server.crt").path(),
        key: folder.appending(path: "server.key").path()
      ).check()
      return nil
    } catch {
      return error
    }
  }

  @Test func aCertificateWithItsKeyIsTaken() throws {
    #expect(try refusal(Self.certificate, Self.key) == nil)
  }

  @Test func theKeyOfAnotherIsRefused() throws {
    let error = try #require(try refusal(Self.certificate, Self.otherKey))
    #expect(error.kind == .configuration && error.file?.hasSuffix("server.key") == true)
    #expect("\(error)".contains("do not go together, or cannot be used: failedToLoadPrivateKey"))
  }

  @Test func whatIsNoPEMIsRefused() throws {
    let certificate = try #require(try refusal("no PEM", Self.key))
    #expect(certificate.kind == .file && certificate.file?.hasSuffix("server.crt") == true)
    let key = try #require(try refusal(Self.certificate, Self.certificate))
    #expect(key.kind == .file && key.file?.hasSuffix("server.key") == true)
  }
}
