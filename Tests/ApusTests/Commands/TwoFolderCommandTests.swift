import Foundation
import TestSupport
import Testing

/// `apus zero-shot` with the towers of a model in two folders.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct TwoFolderCommandTests {
  private let folder: TemporaryFolder
  private let picture: String

  init() throws {
    folder = try TemporaryFolder()
    picture = try folder.write("pictures/a.png", FolderFixture.png)
    try folder.write("pictures/b.png", FolderFixture.png)
  }

  private struct Answer: Decodable, Equatable {
    struct Score: Decodable, Equatable {
      let label: String
      let score: Double
      let logit: Double
      let sigmoid: Double
    }

    let scores: [Score]
    let uncertain: Bool
    let scoring: String
  }

  private func answers(_ run: CommandRun) throws -> [Answer] {
    try run.output.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
  }

  @Test(arguments: ["clip", "siglip"])
  func scoresAreThoseOfTheOneFolder(_ name: String) throws {
    let towers = try SplitTowers(name)
    let shared = [
      "zero-shot", folder.path + "/pictures", "--labels", "a cat, a dog", "--template", "a photo of {}",
      "--threshold", "0.9", "--json", "--logit-scale", "20", "--logit-bias=-3", "--model",
    ]
    let whole = try CommandRun(shared + [Checkout.modelFolder(name)])
    let split = try CommandRun(shared + [towers.pictures.path, "--text-model", towers.texts.path])
    #expect(split.exitCode == 0 && !split.messages.contains("logit_scale"), "\(split.messages)")
    let (expected, found) = (try answers(whole), try answers(split))
    #expect(found.count == 2 && found == expected)
  }

  @Test func theScaleThatNobodyStatedIsSaidOnce() throws {
    let towers = try SplitTowers("clip")
    let run = try CommandRun([
      "zero-shot", picture, picture, "--model", towers.pictures.path, "--text-model", towers.texts.path,
      "--label", "a cat", "--html", folder.path + "/page.html",
    ])
    #expect(run.exitCode == 0, "\(run.messages)")
    #expect(run.messages.components(separatedBy: "no logit_scale").count == 2, "\(run.messages)")
    let page = try String(contentsOfFile: folder.path + "/page.html", encoding: .utf8)
    #expect(page.contains("Tower for labels") && page.contains(towers.texts.path))
  }

  @Test func whatDoesNotGoTogetherIsRefused() throws {
    let texts = Checkout.modelFolder("clip-text-projection")
    let whole = try CommandRun([
      "zero-shot", picture, "--model", Checkout.modelFolder("clip"), "--text-model", texts, "--label",
      "a cat",
    ])
    #expect(whole.exitCode != 0 && whole.messages.contains("Leave out --text-model"), "\(whole.messages)")
    let wide = try CommandRun([
      "zero-shot", picture, "--model", Checkout.modelFolder("siglip-vision"), "--text-model",
      Checkout.modelFolder("siglip-text"), "--label", "a cat", "--logit-scale", "10", "--logit-bias=-10",
    ])
    #expect(wide.exitCode != 0 && wide.messages.contains("32 numbers"), "\(wide.messages)")
  }

  /// The folders are models that can be used: the call is at fault.
  @Test(arguments: [
    ("clip-text-projection", "clip-vision-projection", "swapped"),
    ("clip-vision-projection", "clip-vision-projection", "given twice"),
    ("clip-text-projection", "clip-text-projection", "given twice"),
  ])
  func foldersInWrongPlacesAreAMatterOfUsage(_ model: String, _ texts: String, _ words: String) throws {
    let run = try CommandRun([
      "zero-shot", picture, "--model", Checkout.modelFolder(model), "--text-model",
      Checkout.modelFolder(texts), "--label", "a cat",
    ])
    #expect(run.exitCode == 2 && run.messages.contains(words), "\(run.messages)")
  }
}
