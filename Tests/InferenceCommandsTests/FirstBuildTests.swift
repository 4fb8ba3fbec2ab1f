import Foundation
import InferenceCommands
import Testing

/// `Tools/apus` builds half of the modules for the commands that need no more, and must know which these are.
@Suite struct FirstBuildTests {
  @Test func theScriptNamesTheCommandsOfThisModule() throws {
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let script = try String(contentsOf: checkout.appending(path: "Tools/apus"), encoding: .utf8)
    let names = InferenceCommands.all.compactMap { $0.configuration.commandName }
    #expect(names.count == InferenceCommands.all.count)
    #expect(script.contains("\n\(names.joined(separator: " | ")))\n"))
  }
}
