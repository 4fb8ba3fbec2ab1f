import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Exports photographs and their vectors as Parquet, JSON lines or NumPy.",
    discussion: """
      Example: apus photos export photos.parquet

      One row per photograph: path, digest, width, height, time taken, camera, place and the vector. The file name chooses \
      the format, unless --format is given. A time without Z is the camera's local time, for pictures that state no zone.
      """)

  @Argument(help: "Output file: .parquet, .jsonl, or .npy (with a .jsonl next to it).")
  var file: String

  @Option(help: "Format: parquet, jsonl or npy.")
  var format: PhotoExport.Format?

  @Option(
    help:
      "Which model's vectors to use, if the index has several: its name or part of it, optionally with @int8."
  )
  var model: String?

  @OptionGroup var place: IndexArguments

  func run() throws {
    guard let format = format ?? PhotoExport.Format(rawValue: FileName.ending(of: file)) else {
      throw ApusError(
        .argument, "a file of no known format", expected: ".parquet, .jsonl or .npy", file: file)
    }
    let (count, files) = try PhotoIndex(at: place.index).export(to: file, as: format, model: model)
    let summary = "\(files.joined(separator: ", ")): \(count) photographs"
    // It may be standard output that is written to.
    if FileSystem.isStream(file) {
      StandardStreams.report(summary.printable)
    } else {
      StandardStreams.printText(summary)
    }
  }
}

extension PhotoExport.Format: ExpressibleByArgument {}
