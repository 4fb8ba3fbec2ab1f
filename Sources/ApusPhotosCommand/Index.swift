import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

struct Index: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "index",
    abstract: "Indexes new and changed pictures in folders, newest first.",
    discussion: """
      Example: apus photos index ~/Pictures /media/camera --model openai/clip-vit-base-patch32

      Without a folder, the folders indexed before are scanned again. It can be interrupted at any time; run the same \
      command to continue. Deleted files are forgotten after 30 days, but never while their folder is missing, empty or on \
      a different disk. Files that cannot be read are named, with exit code 5. A picture that was being read when the \
      program died is tried last on the next run, then on its own, and is skipped after two more failures.
      """)

  @OptionGroup var arguments: IndexingArguments

  @Flag(
    help:
      "Index a folder even if it is on a different disk than before; files of the old disk count as deleted.")
  var otherDisk = false

  @Flag(
    help: "Retry pictures that were skipped because earlier runs died while reading them.")
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
