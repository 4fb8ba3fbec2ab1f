import Apus
import ApusPhotos
import ArgumentParser
import CommandSupport
import TensorCore

struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Shows what the index holds: folders, models, photographs and unreadable files.")

  @OptionGroup var place: IndexArguments

  @Flag(help: "List every file that could not be read, with the reason.")
  var failures = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let index = try PhotoIndex(at: place.index)
    let status = try index.status()
    let failed = failures ? try index.failures() : []
    if json {
      StandardStreams.print(record(index, status, failed))
    } else {
      for line in lines(index, status) { StandardStreams.printText(line) }
      for failure in failed { StandardStreams.printText("  \(failure.path): \(failure.error)") }
    }
  }

  private func lines(_ index: PhotoIndex, _ status: PhotoIndex.Status) -> [String] {
    var lines = [index.folder]
    lines.append(
      "  \(status.files) files of \(status.contents) photographs; \(status.failures) failed, \(status.missing) missing"
    )
    for root in status.roots {
      lines.append("  folder \(root.path): \(root.files) files" + (root.isPresent ? "" : ", not there now"))
    }
    for model in status.models {
      let blended = model.transparency == "ignored" ? "" : ", transparency over \(model.transparency)"
      lines.append(
        "  model \(model.name): \(model.vectors) vectors of \(model.width), \(model.precision)" + blended)
    }
    return lines
  }

  private func record(
    _ index: PhotoIndex, _ status: PhotoIndex.Status, _ failed: [PhotoIndex.Failure]
  ) -> JSON {
    var members: [JSON.Member] = [
      ("index", .string(index.folder)), ("files", .integer(status.files)),
      ("photographs", .integer(status.contents)), ("failed", .integer(status.failures)),
      ("missing", .integer(status.missing)),
      (
        "folders",
        .array(
          status.roots.map {
            .object(
              JSON.file($0.path, as: "path") + [
                ("files", .integer($0.files)), ("present", .bool($0.isPresent)),
              ])
          })
      ),
      (
        "models",
        .array(
          status.models.map {
            .object([
              ("name", .string($0.name)), ("path", .string($0.path)), ("precision", .string($0.precision)),
              ("decoding", .string($0.decoding)), ("transparency", .string($0.transparency)),
              ("preparation", .string($0.preparation)), ("vectors", .integer($0.vectors)),
              ("width", .integer($0.width)),
            ])
          })
      ),
    ]
    if failures {
      members.append(
        ("failures", .array(failed.map { .object(JSON.file($0.path) + [("error", .string($0.error))]) })))
    }
    return .object(members + [JSON.madeBy])
  }
}
