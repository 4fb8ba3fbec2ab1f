import Apus
import Foundation
import TestSupport
import Testing

/// The program says which release it is, and the changelog knows that release.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct VersionTests {
  @Test func theProgramSaysItsVersion() throws {
    let run = try CommandRun(["--version"])
    #expect(run.exitCode == 0)
    #expect(run.output == ApusVersion.current + "\n")
    #expect(try CommandRun(["doctor"]).output.contains("\(ApusVersion.current)\n"))
  }

  @Test func recordsSayWhichApusMadeThem() throws {
    let model = Checkout.modelFolder("bert-sentence")
    let record = try CommandRun(["embed", "--text", "one", "--model", model, "--json"]).output
    let members = try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any]
    #expect(members?["apus"] as? String == ApusVersion.current)
  }

  /// The form is that of https://semver.org; the release has a section, which says whether numbers changed.
  @Test func theChangelogTellsOfThisVersion() throws {
    #expect(ApusVersion.current.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/) != nil)
    let text = try String(contentsOf: Checkout.file("CHANGELOG.md"), encoding: .utf8)
    let sections = text.split(separator: "\n## ").dropFirst()
    let section = try #require(sections.first { $0.hasPrefix("[\(ApusVersion.current)]") })
    #expect(section.contains("Numbers changed:"))
    #expect(sections.allSatisfy { $0.contains("Numbers changed:") }, "every release says it")
  }
}
