import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// A folder of photographs and an index of it, with the model of drawn scenes.
struct Library {
  static let model = Result { try PhotoModel(Checkout.file("Weights/scenes").path) }
  static let samples = Checkout.file("Weights/scenes/samples").path

  private let folder: TemporaryFolder
  let index: PhotoIndex
  var path: String { "\(folder.path)/pictures" }

  /// - Parameter files: names of samples, and where they lie.
  init(_ files: [String: String]) throws {
    folder = try TemporaryFolder()
    index = try PhotoIndex(at: "\(folder.path)/index", creating: true)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (sample, file) in files { try add(sample, as: file) }
  }

  /// All samples, under their own names.
  init() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.samples).filter {
      $0.hasSuffix(".png")
    }
    try self.init(Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }))
  }

  func add(_ sample: String, as file: String) throws {
    try folder.write(
      "pictures/\(file)", FileManager.default.contents(atPath: "\(Self.samples)/\(sample)") ?? Data())
  }

  func write(_ file: String, _ bytes: [UInt8]) throws { try folder.write("pictures/\(file)", bytes) }

  func move(_ file: String, to other: String) throws {
    let target = URL(fileURLWithPath: "\(path)/\(other)")
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: "\(path)/\(file)", toPath: target.path)
  }

  func remove(_ file: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(file)") }

  @discardableResult
  func update(_ options: IndexOptions = IndexOptions()) async throws -> IndexProgress {
    try await index.update([path], with: Self.model.get(), options: options)
  }

  /// The names of what is found.
  func names(_ query: PhotoQuery, count: Int = 20, filter: PhotoFilter = PhotoFilter()) async throws
    -> [String]
  {
    try await PhotoSearcher(index).search(query, count: count, filter: filter).map {
      ($0.paths[0] as NSString).lastPathComponent
    }
  }
}
