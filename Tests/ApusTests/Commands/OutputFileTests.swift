import Formats
import Foundation
import TestSupport
import Testing

/// What commands write is there whole, or not at all.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct OutputFileTests {
  private let folder: TemporaryFolder
  private let model: String
  private let embed: [String]
  private let classify: [String]

  init() throws {
    folder = try TemporaryFolder()
    model = try folder.write("model/colour.tflite", ColourModel.bytes(softmax: false))
    let picture = try folder.write("model/picture.png", FolderFixture.png)
    embed = ["embed", "--image", picture, "--model", model]
    classify = ["classify", picture, "--model", model]
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")), as: UTF8.self)
  }

  private func permissions(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }

  /// No byte can be written to a file, as on a full disk.
  @Test func aFullDiskLeavesWhatWasThere() throws {
    try folder.write("earlier", "what was there")
    let similarity = ["similarity"] + Array(embed.dropFirst())
    let bench = ["bench", "model", model, "--runs", "3"]
    let commands = [
      (embed, "--output"), (similarity, "--output"), (classify, "--html"), (bench, "--trace"),
    ]
    for (command, option) in commands {
      for name in ["earlier", "new"] {
        let run = try CommandRun(
          shell: "trap '' XFSZ; ulimit -f 0; exec \"$@\"", command + [option, "\(folder.path)/\(name)"])
        #expect(run.exitCode == 3, "\(run.messages)")
        #expect(run.messages.contains("/\(name): cannot be written: "), "\(run.messages)")
      }
      let names = try names()
      #expect(names == ["earlier", "model"])
      let earlier = try text("earlier")
      #expect(earlier == "what was there")
    }
  }

  @Test func aFileIsReplacedWhereLinksLeadAndKeepsItsReaders() throws {
    try folder.write("there/v.npy", "what was there")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/there/v.npy")
    let link = folder.path + "/link.npy"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "there/v.npy")
    let run = try CommandRun(embed + ["--output", link])
    #expect(run.exitCode == 0, "\(run.messages)")
    let written = try FileManager.default.destinationOfSymbolicLink(atPath: link)
    #expect(written == "there/v.npy")
    let tensor = try Npy.tensor(contentsOf: folder.path + "/there/v.npy")
    #expect(tensor.type.shape.dimensions == [1, 3])
    let mode = try permissions("there/v.npy")
    #expect(mode == 0o600)
    let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/there")
    #expect(beside == ["v.npy"])
  }

  private func runAsNobody(_ arguments: [String]) throws -> CommandRun {
    try CommandRun(shell: "\(CommandRun.asNobody) \"$@\"", arguments)
  }

  @Test(.enabled(if: CommandRun.canBeNobody, "the program cannot be run as another user"))
  func whatIsReadOnlyStays() throws {
    let file = try folder.write("open/v.npy", "what was there")
    #expect(chmod(folder.path + "/open", 0o777) == 0 && chmod(file, 0o444) == 0)
    let run = try runAsNobody(embed + ["--output", file])
    #expect(run.exitCode == 3 && run.messages.contains("v.npy: cannot be written"), "\(run.messages)")
    let left = try text("open/v.npy")
    #expect(left == "what was there")
  }

  /// Whatever standard output is: a pipe, or a file in which others have written and will.
  @Test func standardOutputIsWrittenInOrder() throws {
    let piped = try CommandRun(shell: "\"$@\" | head -c 6 | tail -c 5", embed + ["--output", "/dev/stdout"])
    #expect(piped.output == "NUMPY", "\(piped.messages)")
    let file = folder.path + "/all"
    let line = "{ echo before; \"$@\"; echo after; } > '\(file)'"
    let run = try CommandRun(shell: line, embed + ["--output", "/dev/stdout"])
    #expect(run.exitCode == 0, "\(run.messages)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    let alone = try CommandRun(embed + ["--output", folder.path + "/alone.npy"])
    #expect(alone.exitCode == 0 && alone.output.contains("alone.npy: float32[1, 3]"), "\(alone.messages)")
    let array = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/alone.npy"))
    #expect(bytes == Data("before\n".utf8) + array + Data("after\n".utf8))
    #expect(run.messages.contains("/dev/stdout: float32[1, 3]"), "\(run.messages)")
  }

  @Test(.enabled(if: CommandRun.canBeNobody, "the program cannot be run as another user"))
  func aFileIsWrittenInAFolderThatMayNotBe() throws {
    let file = try folder.write("closed/v.npy", "what was there")
    #expect(chmod(file, 0o666) == 0 && chmod(folder.path + "/closed", 0o555) == 0)
    defer { _ = chmod(folder.path + "/closed", 0o755) }
    let run = try runAsNobody(embed + ["--output", file])
    #expect(run.exitCode == 0, "\(run.messages)")
    let tensor = try Npy.tensor(contentsOf: file)
    #expect(tensor.type.shape.dimensions == [1, 3])
  }

  @Test func namesOfOneFileStayOne() throws {
    let file = try folder.write("v.npy", String(repeating: "what was there ", count: 100))
    let other = folder.path + "/other.npy"
    try FileManager.default.linkItem(atPath: file, toPath: other)
    let run = try CommandRun(embed + ["--output", file])
    #expect(run.exitCode == 0, "\(run.messages)")
    let tensor = try Npy.tensor(contentsOf: other)
    #expect(tensor.type.shape.dimensions == [1, 3])
  }

  @Test func pipesAndDevicesAreHandedTheBytes() throws {
    let pipe = folder.path + "/pipe"
    let line =
      "mkfifo '\(pipe)' && { \"$@\" --output '\(pipe)' & timeout 60 head -c 6 '\(pipe)' | tail -c 5; wait; }"
    let run = try CommandRun(shell: line, embed + ["--json"])
    #expect(run.output.contains("NUMPY"), "\(run.output) \(run.messages)")
    let full = try CommandRun(embed + ["--output", "/dev/full"])
    #expect(full.exitCode == 3 && full.messages.contains("/dev/full: cannot be written"), "\(full.messages)")
    let null = try CommandRun(embed + ["--output", "/dev/null"])
    #expect(null.exitCode == 0, "\(null.messages)")
  }

  /// A reader that had enough, as `head -1`, ends a command that has nothing else to do; files are written all the same.
  @Test func filesAreWrittenWithoutAReaderOfTheOutput() throws {
    let (page, vectors) = (folder.path + "/page.html", folder.path + "/v.npy")
    let run = try CommandRun(classify + ["--html", page], closesOutput: true)
    #expect(run.exitCode == 0 && run.messages.isEmpty, "\(run.messages)")
    #expect(try text("page.html").contains("picture.png"))
    let embedded = try CommandRun(embed + ["--json", "--output", vectors], closesOutput: true)
    #expect(embedded.exitCode == 0 && FileManager.default.fileExists(atPath: vectors))
  }

  /// More than a pipe holds, to one that is set not to wait.
  @Test func anOutputThatDoesNotWaitGetsAllOfIt() throws {
    let many = ["classify", "--model", model, "--json"] + Array(repeating: classify[1], count: 600)
    let whole = try CommandRun(many)
    #expect(whole.exitCode == 0 && whole.output.utf8.count > 1 << 16)
    let late = try CommandRun(many, lateReader: ())
    #expect(late.exitCode == 0 && late.messages == whole.messages, "\(late.messages)")
    #expect(late.output.split(separator: "\n").count == 600)
  }

  /// The models and pictures of these commands are not there: that would be told next.
  @Test(arguments: [
    ["embed", "--image", "no.png", "--model", "no.tflite", "--output"],
    ["similarity", "--image", "no.png", "--model", "no.tflite", "--output"],
    ["classify", "no.png", "--model", "no.tflite", "--html"],
    ["zero-shot", "no.png", "--model", "no-folder", "--labels", "a, b", "--html"],
    ["bench", "model", "no.tflite", "--trace"], ["bench", "kernels", "--html"],
    ["compare", "no.tflite", "no.tflite", "--data", "no-folder", "--html"], ["monitor", "no.json", "--html"],
    ["doctor", "--html"],
  ])
  func whatCannotBeWrittenIsToldBeforeAnyWork(command: [String]) throws {
    let problems = [
      "absent/out": "cannot be created: No such file", "model": "cannot be replaced: Is a directory",
      "model/colour.tflite/out": "cannot be created: Not a directory",
    ]
    for (path, problem) in problems {
      let run = try CommandRun(command + ["\(folder.path)/\(path)"])
      #expect(run.exitCode == 3 && run.output.isEmpty, "\(run.output) \(run.messages)")
      #expect(run.messages.contains("/\(path): \(problem)"), "\(run.messages)")
    }
    let long = String(repeating: "a", count: 300)
    let others = [
      "\(folder.path)/\(long)": "cannot be created: File name too long",
      "": "cannot be created: No such file",
      "/dev/fd/77": "/dev/fd/77: cannot be written: Bad file descriptor",
    ]
    for (path, problem) in others {
      let run = try CommandRun(command + [path])
      #expect(run.exitCode == 3 && run.output.isEmpty, "\(run.output) \(run.messages)")
      #expect(run.messages.contains(problem), "\(run.messages)")
    }
    let names = try names()
    #expect(names == ["model"])
  }

  @Test func aPlaceForFoldersIsLookedAtToo() throws {
    let run = try CommandRun(["run", "no.tflite", "--output-dir", model + "/out/inner"])
    #expect(run.exitCode == 3 && run.messages.contains("/colour.tflite: cannot be created: File exists"))
    let other = try CommandRun(["run", "no.tflite", "--output-dir", folder.path + "/out/inner"])
    #expect(other.exitCode == 3 && other.messages.contains("no.tflite"), "\(other.messages)")
    let quantized = try CommandRun(["quantize", model, folder.path + "/absent/out.tflite", "--to", "int8"])
    #expect(quantized.exitCode == 3, "\(quantized.messages)")
    #expect(quantized.messages.contains("/absent/out.tflite: cannot be created: No such file"))
    let names = try names()
    #expect(names == ["model"])
  }

  @Test(.enabled(if: CommandRun.canBeNobody, "the program cannot be run as another user"))
  func aFolderThatMayNotBeWrittenIsToldBeforeAnyWork() throws {
    try folder.write("closed/inside", "what was there")
    #expect(chmod(folder.path + "/closed", 0o555) == 0)
    defer { _ = chmod(folder.path + "/closed", 0o755) }
    let out = folder.path + "/closed/out"
    let run = try runAsNobody(["classify", "no.png", "--model", "no.tflite", "--html", out])
    #expect(run.exitCode == 3, "\(run.messages)")
    #expect(run.messages.contains("/closed/out: cannot be created: Permission denied"), "\(run.messages)")
  }

  @Test func aFolderIsNoFile() throws {
    let run = try CommandRun(embed + ["--output", folder.path + "/model"])
    #expect(run.exitCode == 3 && run.messages.contains("/model: cannot be replaced"), "\(run.messages)")
    let names = try names()
    #expect(names == ["model"])
  }
}
