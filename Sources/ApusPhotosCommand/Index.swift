import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

struct Index: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Reads new and changed pictures of folders, the newest first.",
    discussion: """
      Example: apus photos index ~/Pictures /media/camera --model openai/clip-vit-base-patch32

      Without a folder, those that were indexed before are looked through again. Interrupt it at any time; the same \
      command goes on. Files that are gone are forgotten after 30 days, and never while their folder is absent, empty or \
      on another disk, of which nothing is taken. What could not be read is named, and makes the exit code 5. A picture \
      that the program was ended at comes last the next time, by itself where that ends it again, and is left out when it \
      does so twice more.
      """)

  @OptionGroup var arguments: IndexingArguments

  @Flag(help: "Index a folder though another disk is there than before; what that one had counts as gone.")
  var otherDisk = false

  @Flag(
    help: "Read pictures once more that are left out, as earlier runs were ended while they read them.")
  var retry = false

  func run() async throws {
    let (report, folders) = (IndexReport(isJSON: arguments.json), arguments.folders)
    let (takesOtherDisks, retriesLeftOut) = (otherDisk, retry)
    StandardStreams.goOnWithoutReader()
    do {
      let progress = try await arguments.perform {
        (index, model, options) async throws(ApusError) -> IndexProgress in
        var options = options
        options.takesOtherDisks = takesOtherDisks
        options.retriesLeftOut = retriesLeftOut
        return try await index.update(folders, with: model, options: options) { report.add($0) }
      }
      report.finish(progress)
      if progress.failed > 0 { throw ExitStatus.someFailed.code }
    } catch let error as ApusError where error.kind == .cancelled {
      report.stopped()
      throw Interrupt.exitCode
    }
  }
}
