import Apus
import Foundation
import TestSupport
import Testing

/// A program that runs every file it finds, held to TensorFlow Lite's reference kernels.
@Suite(.enabled(if: SharedData.isPresent, "needs the shared data")) struct GoldenSessionTests {
  private struct Entry: Decodable {
    let golden: String?
  }

  @Test func everyFileGivesTheReferencesNumbers() throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: SharedData.path("tflite/golden.json")))
    let entries = try JSONDecoder().decode([String: Entry].self, from: data)
    var checked = 0
    for (file, entry) in entries.sorted(by: { $0.key < $1.key }) {
      guard let golden = entry.golden else { continue }
      do {
        let session = try InferenceSession(SharedData.path("tflite/\(file)"))
        let arrays = try NamedTensors(npzFile: SharedData.path("tflite/\(golden)"))
        for name in Set(arrays.names.compactMap { $0.split(separator: ".").first }) {
          checked += try check(session, arrays, String(name), file)
        }
      } catch let error as ApusError where error.kind == .unsupportedModel {
        continue
      }
    }
    #expect(checked > 200)
  }

  private func check(
    _ session: InferenceSession, _ arrays: NamedTensors, _ name: String, _ file: String
  ) throws -> Int {
    let numbered = { (kind: String) in (0..<64).compactMap { arrays["\(name).\(kind)\($0)"] } }
    let expected = numbered("out")
    guard !expected.isEmpty else { return 0 }
    let outputs = try session.blocking.run(numbered("in"))
    #expect(outputs.count == expected.count, "\(file)")
    for (output, wanted) in zip(outputs, expected) {
      #expect(output.tensor.dataType == wanted.dataType && output.tensor.shape == wanted.shape, "\(file)")
      if wanted.dataType == .float32 {
        let (found, wanted) = (
          try output.tensor.elements(of: Float.self), try wanted.elements(of: Float.self)
        )
        let largest = wanted.filter(\.isFinite).map(abs).max() ?? 0
        let isClose = zip(found, wanted).allSatisfy {
          $0 == $1 || ($0.isNaN && $1.isNaN) || abs($0 - $1) <= 1e-5 * largest
        }
        #expect(isClose, "\(file)")
      } else {
        let isSame = output.tensor.withBytes { mine in wanted.withBytes { mine.elementsEqual($0) } }
        #expect(isSame, "\(file)")
      }
    }
    return 1
  }
}
