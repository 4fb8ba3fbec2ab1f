import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

/// A model of the shared data, with what TFLite's reference kernels gave for it.
struct GoldenFile: Sendable, CustomTestStringConvertible {
  /// The file, relative to the shared data's folder for TFLite.
  let name: String
  /// The operators with versions, such as `CONV_2Dv3` and `CUSTOM:Sinhv1`, where they are listed.
  let operators: [String]
  /// The names of the cases in the archive; empty when the archive was left out.
  let cases: [String]
  /// The archive of arrays `<case>.inN` and `<case>.outN`; nil when it was left out.
  let archive: String?
  /// Why TFLite itself does not run the file; nil when it does.
  let failure: String?

  var testDescription: String { name }
  var path: String { SharedData.path("tflite/" + name) }

  /// Every file of the list; none without the shared data.
  static let all: [GoldenFile] = {
    guard SharedData.isPresent,
      let data = FileManager.default.contents(atPath: SharedData.path("tflite/golden.json")),
      let entries = try? JSONDecoder().decode([String: Entry].self, from: data)
    else { return [] }
    return entries.map { name, entry in
      GoldenFile(
        name: name, operators: (entry.ops ?? [:]).keys.sorted(), cases: entry.cases?.keys.sorted() ?? [],
        archive: entry.golden, failure: entry.run)
    }.sorted { $0.name < $1.name }
  }()

  private struct Entry: Decodable {
    struct Content: Decodable {}
    let ops: [String: Int]?
    let cases: [String: Content]?
    let golden: String?
    let run: String?
  }

  /// What goes into a run and what shall come out.
  struct Case: Sendable {
    let name: String
    let inputs: [Tensor]
    let outputs: [Tensor]
  }

  /// The cases of the archive.
  func readCases() throws -> [Case] {
    guard let archive else { return [] }
    guard let zip = try ZipArchive.atEnd(of: FileBytes.read(SharedData.path("tflite/" + archive))) else {
      throw ApusError(.file, "is no archive", file: archive)
    }
    let stored = Set(zip.entries.map(\.name))
    func read(_ prefix: String) throws -> [Tensor] {
      var tensors: [Tensor] = []
      while stored.contains("\(prefix)\(tensors.count).npy") {
        tensors.append(
          try Npy.tensor(zip.contents(of: "\(prefix)\(tensors.count).npy", limit: 1 << 28)))
      }
      return tensors
    }
    return try cases.map { Case(name: $0, inputs: try read("\($0).in"), outputs: try read("\($0).out")) }
  }
}
