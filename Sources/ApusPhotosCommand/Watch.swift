import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport

struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Keeps the index up to date until interrupted.",
    discussion: """
      Example: apus photos watch ~/Pictures

      Local folders are watched by the kernel; network disks are scanned every ten minutes.
      """)

  @OptionGroup var arguments: IndexingArguments

  func run() async throws {
    let (report, folders) = (IndexReport(isJSON: arguments.json), arguments.folders)
    try await arguments.perform { (index, model, options) async throws(ApusError) in
      try await index.watch(folders, with: model, options: options) { event in
        report.add(event)
        if case .progress(let progress) = event, progress.total > 0, progress.done == progress.total {
          report.finish(progress)
        }
      }
    }
  }
}
