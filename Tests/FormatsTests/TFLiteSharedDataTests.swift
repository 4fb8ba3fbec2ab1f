import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Real files of many origins.
@Suite(.enabled(if: SharedData.isPresent, "the shared data is absent"))
struct TFLiteSharedDataTests {
  static let files: [String] = {
    let root = SharedData.path("tflite")
    let all = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.hasSuffix(".tflite") || $0.hasSuffix(".bin") }.sorted()
  }()

  @Test func print_() throws {
    for file in Self.files {
      do {
        let bytes = try FileBytes.read(SharedData.path("tflite/" + file))
        let model = try TFLiteModel(bytes)
        let obstacles = model.subgraphs.flatMap(\.obstacles)
        print(
          "OK", file, model.subgraphs.count, model.subgraphs[0].operators.count, obstacles.prefix(3),
          model.signatures.map(\.key), model.metadata.map(\.name))
        for s in model.signatures {
          for b in s.inputs where !model.subgraphs[s.subgraph].inputs.contains(b.tensor) {
            print("SIGIN", file, b)
          }
          for b in s.outputs where !model.subgraphs[s.subgraph].outputs.contains(b.tensor) {
            print("SIGOUT", file, b)
          }
        }
        for g in model.subgraphs where Set(g.outputs).count < g.outputs.count { print("DUPOUT", file) }
      } catch {
        print("ERR", file, error)
      }
    }
  }
}
