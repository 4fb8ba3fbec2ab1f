import Foundation
import TestSupport
import Testing

/// The toolchain that Apus is said to need is the one that `Package.swift` asks for.
@Suite struct ToolchainTests {
  private func text(_ file: String) throws -> String {
    try String(contentsOf: Checkout.file(file), encoding: .utf8)
  }

  private func required() throws -> String {
    let line = try #require(try text("Package.swift").split(separator: "\n").first)
    return try #require(line.split(separator: " ").last.map(String.init))
  }

  @Test func everyPageNamesIt() throws {
    let version = try required()
    #expect(version == "6.3")
    for package in ["Server/Package.swift", "Benchmarks/Package.swift"] {
      #expect(try text(package).hasPrefix("// swift-tools-version: \(version)\n"), "\(package)")
    }
    for page in ["README.md", "CONTRIBUTING.md", "Sources/Apus/Apus.docc/GettingStarted.md"] {
      #expect(try text(page).contains("\(version) or later"), "\(page)")
    }
    for image in ["Dockerfile", "Server/Dockerfile"] {
      #expect(try text(image).contains("FROM swift:\(version)-"), "\(image)")
    }
  }

  @Test func anOlderOneIsToldBeforeAnyBuild() throws {
    let folder = try TemporaryFolder()
    let swift = try folder.write("swift", "#!/bin/sh\necho 'Swift version 6.2.3 (swift-6.2.3-RELEASE)'\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
    let setup = Process()
    setup.executableURL = Checkout.file("Tools/setup")
    setup.environment = ["PATH": "\(folder.path):/usr/bin:/bin"]
    let messages = Pipe()
    setup.standardError = messages
    try setup.run()
    let text = String(decoding: try messages.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    setup.waitUntilExit()
    #expect(setup.terminationStatus == 1)
    #expect(text.contains("Swift 6.2.3 is on the PATH; Apus needs \(try required()) or later"), "\(text)")
  }
}
