import ArgumentParser
import CLibrary
import CommandSupport
import Graph
import TensorCore

struct PruneModels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Removes packed weights from the cache on disk.",
    discussion: """
      Example: apus models prune --days 30

      Without options it removes what nothing reads any more: packed weights of models that are gone or were changed, of \
      other versions and of other kernels than those in use, and what a killed process left. Those of models on a disk that \
      is not mounted stay. Models stay as they are: their weights are packed again when \
      they are next opened. Programs that have packed weights open keep them.
      """)

  @Option(help: ArgumentHelp("Remove what was written longer ago, too.", valueName: "days"))
  var days: Double?

  @Flag(help: "Remove all packed weights.")
  var all = false

  @Flag(help: "Remove nothing, and say what would be.")
  var dryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func validate() throws {
    if let days, !(days >= 0) { throw ValidationError("--days \(days): at least 0.") }
  }

  func run() throws {
    guard let folder = PackedWeightCache.folder() else {
      throw ApusError(
        .configuration, "no packed weights are kept", advice: "APUS_CACHE is off, or HOME is not set.")
    }
    let entries = try CacheFolder.entries(in: folder)
    let unwanted = entries.filter(isUnwanted)
    if !dryRun {
      NewFile.removeAbandoned(in: folder)
      for entry in unwanted { FileSystem.removeFile(entry.path) }
    }
    let failed = dryRun ? [] : unwanted.filter { FileSystem.exists($0.path) }
    let removed = unwanted.filter { entry in !failed.contains { ExactText($0.path) == ExactText(entry.path) }
    }
    let kept = CacheFolder.byteCount(folder) - (dryRun ? Self.byteCount(removed) : 0)
    if json {
      StandardStreams.print(record(folder, removed, failed, kept: kept))
    } else {
      for entry in removed {
        StandardStreams.printText(
          "\(dryRun ? "would remove" : "removed") \(entry.path), \(Format.bytes(entry.byteCount))"
            + (entry.model.map { " of \($0)" } ?? ""))
      }
      StandardStreams.printText(
        "\(folder): \(Format.bytes(Self.byteCount(removed))) \(dryRun ? "would be freed" : "freed"), "
          + "\(Format.bytes(kept)) kept")
    }
    for entry in failed { StandardStreams.report("apus: \(entry.path): it cannot be removed") }
    if !failed.isEmpty { throw ExitStatus.someFailed.code }
  }

  private func isUnwanted(_ entry: CacheFolder.Entry) -> Bool {
    let age = (Double(time(nil)) - entry.time) / 86_400
    return all || !entry.isUsable || days.map { age > $0 } ?? false
  }

  private func record(
    _ folder: String, _ removed: [CacheFolder.Entry], _ failed: [CacheFolder.Entry], kept: Int
  ) -> JSON {
    func files(_ entries: [CacheFolder.Entry]) -> JSON {
      .array(
        entries.map { entry in
          let model = entry.model.map { JSON.file($0, as: "model") } ?? [("model", .null)]
          return .object(JSON.file(entry.path) + [("bytes", .integer(entry.byteCount))] + model)
        })
    }
    return .object(
      JSON.file(folder, as: "folder") + [
        ("removed", files(removed)), ("failed", files(failed)),
        ("freed_bytes", .integer(Self.byteCount(removed))), ("kept_bytes", .integer(kept)),
        ("dry_run", .bool(dryRun)), JSON.madeBy,
      ])
  }

  private static func byteCount(_ entries: [CacheFolder.Entry]) -> Int {
    entries.reduce(0) { $0 + $1.byteCount }
  }
}
