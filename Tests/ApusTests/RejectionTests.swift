import Formats
import TensorCore
import TestSupport
import Testing

@testable import Apus

/// Novelties and the files of rejections.
@Suite struct RejectionTests {
  private let foreign = Rejection.Foreign(mean: [3, 0], factor: [1, 0, 1, 2])

  private func rejection(_ foreign: Rejection.Foreign?) throws(ApusError) -> Rejection {
    try Rejection(
      center: [1, 1, 1], basis: [1, 0, 0, 0, 0.5, 0], means: [0, 0, 2, 2], foreign: foreign, classCount: 3)
  }

  /// Of features [4, 3, 9]: less the centre [3, 2, 8], along the axes [3, 1]; the nearest mean is [2, 2].
  @Test func noveltyIsTheSquaredDistanceFromTheNearestClass() throws {
    #expect(try rejection(nil).novelty([4, 3, 9]) == 2)
    // From the foreign mean [0, 1], by the factor [0, 2].
    #expect(try rejection(foreign).novelty([4, 3, 9]) == 2 - 4)
    #expect(try rejection(nil).novelty([1, 1, 1]) == 0)
    #expect(try rejection(nil).novelty([1, 1]).isNaN)
  }

  @Test(arguments: [true, false]) func filesGiveBackWhatWasWritten(_ hasForeign: Bool) throws {
    let folder = try TemporaryFolder()
    let written = try rejection(hasForeign ? foreign : nil)
    try written.write(to: folder.path + "/rejection.apus")
    #expect(try Rejection(contentsOf: folder.path + "/rejection.apus") == written)
  }

  /// Files whose parts do not fit each other, or that are something else.
  private static let damaged: [(String, [(String, [Float], [Int])], [ExactText: String])] = {
    let metadata: [ExactText: String] = ["format": "apus.rejection", "version": "1", "classes": "3"]
    let center: (String, [Float], [Int]) = ("center", [1, 1], [2])
    let basis: (String, [Float], [Int]) = ("basis", [1, 0], [1, 2])
    let means: (String, [Float], [Int]) = ("means", [0, 2], [2, 1])
    func with(_ key: ExactText, _ value: String?) -> [ExactText: String] {
      var metadata = metadata
      metadata[key] = value
      return metadata
    }
    return [
      ("no format", [center, basis, means], with("format", nil)),
      ("a later version", [center, basis, means], with("version", "2")),
      ("no classes", [center, basis, means], with("classes", "0")),
      ("fewer classes than means", [center, basis, means], with("classes", "1")),
      ("no means", [center, basis], metadata),
      ("means of another rank", [center, basis, ("means", [0, 2], [1, 2])], metadata),
      ("a basis of other features", [center, ("basis", [1, 0, 1], [1, 3]), means], metadata),
      (
        "a centre of nothing", [("center", [], [0]), ("basis", [], [1, 0]), ("means", [], [0, 1])], metadata
      ),
      ("numbers without an end", [center, ("basis", [.infinity, 0], [1, 2]), means], metadata),
      ("half of what is foreign", [center, basis, means, ("foreign.mean", [0], [1])], metadata),
      (
        "another extent of what is foreign",
        [center, basis, means, ("foreign.mean", [0, 1], [2]), ("foreign.factor", [1, 1], [2, 1])], metadata
      ),
    ]
  }()

  @Test(arguments: damaged.indices) func damagedFilesAreRefusedByName(_ index: Int) throws {
    let (name, parts, metadata) = Self.damaged[index]
    let folder = try TemporaryFolder()
    let path = folder.path + "/rejection.apus"
    let tensors = try parts.map { (name: $0.0, tensor: try Tensor($0.1, shape: $0.2)) }
    try SafetensorsWriter.write(tensors, metadata: metadata, to: path)
    let error = #expect(throws: ApusError.self, "\(name)") { try Rejection(contentsOf: path) }
    #expect(error?.description.contains("rejection.apus") ?? false, "\(name)")
  }
}
