import Foundation
import TestSupport
import Testing

/// Results on a terminal have bars where there is room, and elsewhere none.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct TerminalTests {
  private static let picture = Checkout.file("Weights/scenes/samples/three-red-circles.png").path
  private static let commands = [
    [
      "classify", picture, "--model", Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path,
      "--accept-foreign", "--threshold", "0",
    ],
    [
      "zero-shot", picture, "--model", Checkout.file("Weights/scenes").path, "--labels",
      "circles, 三つの円, a square",
    ],
    ["classify-text", "A joy.", "--model", Checkout.file("Weights/sentiment").path],
  ]

  /// Without the times, which differ from run to run.
  private func lines(_ output: String) -> [String] {
    output.replacing(/[0-9.]+ ms.*/, with: "ms").split(separator: "\n").map(String.init)
  }

  private func onTerminal(
    _ command: [String], _ columns: UInt16,
    _ environment: [String: String] = ["TERM": "xterm", "NO_COLOR": ""]
  ) throws -> [String] {
    let run = try CommandRun(command, onTerminalOf: columns, environment: environment)
    #expect(run.exitCode == 0)
    return lines(run.output)
  }

  @Test(arguments: commands)
  func barsStandBesideScores(_ command: [String]) throws {
    let plain = lines(try CommandRun(command).output)
    let bars = try onTerminal(command, 100)
    #expect(bars.contains { $0.contains("\u{1B}[36m█") })
    // What is left without the bars is what a pipe gets, but for the spaces of columns.
    let words = { (lines: [String]) in
      lines.map { $0.replacing(/\u{1B}\[[0-9]*m/, with: "").filter { !"█▏▎▍▌▋▊▉ ".contains($0) } }
    }
    #expect(words(bars) == words(plain))
  }

  @Test(arguments: commands)
  func barsStandOneBelowTheOther(_ command: [String]) throws {
    let rows = try onTerminal(command, 100).filter { $0.contains("\u{1B}[") }
    let starts = rows.map { $0.prefix { $0 != "\u{1B}" }.count }
    #expect(rows.count > 1 && Set(starts).count == 1)
    for row in rows { #expect(row.replacing(/\u{1B}\[[0-9]*m/, with: "").count <= 100) }
  }

  @Test(arguments: commands)
  func withoutRoomOrColours(_ command: [String]) throws {
    let plain = lines(try CommandRun(command).output)
    #expect(try onTerminal(command, 24) == plain)
    #expect(try onTerminal(command, 100, ["TERM": "dumb"]) == plain)
    let colourless = try onTerminal(command, 100, ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(colourless.contains { $0.contains("█") } && !colourless.contains { $0.contains("\u{1B}") })
    #expect(try onTerminal(command + ["--json"], 100).allSatisfy { !$0.contains("█") })
  }

  @Test func aPageIsWrittenBesides() throws {
    let folder = try TemporaryFolder()
    for command in Self.commands.prefix(2) {
      let page = folder.path + "/page.html"
      let run = try CommandRun(command + ["--html", page])
      let without = try CommandRun(command)
      #expect(run.exitCode == 0 && lines(run.output) == lines(without.output))
      let html = try String(contentsOfFile: page, encoding: .utf8)
      #expect(
        html.contains("What 1 picture shows, by") && html.contains("<img src=\"data:image/jpeg;base64,"))
    }
    let nowhere = try CommandRun(Self.commands[0] + ["--html", folder.path + "/none/page.html"])
    #expect(nowhere.exitCode == 3 && nowhere.messages.contains("none/page.html"))
  }
}
