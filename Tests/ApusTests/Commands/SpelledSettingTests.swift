import TensorCore
import TestSupport
import Testing

/// What messages name is there. What `apus photos` has is in another program.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct SpelledSettingTests {
  private static let commands: [[String]] = [
    ["calibrate"], ["classify"], ["classify-text"], ["compare"], ["embed"], ["inspect"], ["quantize"],
    ["run"], ["zero-shot"],
  ]

  @Test func everyFlagIsOneOfACommand() throws {
    let help = try Self.commands.map { try CommandRun($0 + ["--help"]).output }.joined()
    let words = Set(help.split { !($0.isLetter || $0 == "-") }.map { ExactText(String($0)) })
    let others: [Setting] = [
      .byteLimit, .excluded, .index, .model, .retriesLeftOut, .shard, .takesOtherDisks, .timeToLive,
    ]
    for setting in Setting.allCases where !others.contains(setting) {
      guard let flag = setting.flag else { continue }
      #expect(words.contains(ExactText(flag)), "\(flag)")
    }
  }

  @Test(arguments: Doing.allCases.filter { ![.indexPhotos, .openPhotos].contains($0) })
  func everyCommandIsThere(_ doing: Doing) throws {
    let words = doing.spelled(for: .command).dropFirst("'apus ".count).dropLast().split(separator: " ")
    let run = try CommandRun(words.filter { !$0.hasPrefix("--") }.map(String.init) + ["--help"])
    #expect(run.exitCode == 0)
    for flag in words where flag.hasPrefix("--") { #expect(run.output.contains(flag), "\(flag)") }
  }
}
