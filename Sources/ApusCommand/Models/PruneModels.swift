import ArgumentParser
import CLibrary
import CommandSupport
import Graph
import TensorCore

struct PruneModels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Deletes packed weights from the disk cache.",
    discussion: """
      Example: apus models prune --days 30

      Without options, deletes only what is no longer usable: packed weights of models that were changed or removed, of \
      other versions and kernels, and leftovers of killed processes. Entries for models on an unmounted disk are kept. The \
      models themselves are not touched; their weights are packed again when next opened. Running programs are not \
      affected.
      """)

  @Option(help: ArgumentHelp("Also delete entries older than this.", valueName: "days"))
  var days: Double?

  @Flag(help: "Delete all packed weights.")
  var all = false

  @Flag(help: "Only print what would be deleted.")
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
