import Foundation
import TensorCore

/// A folder for the files of one test, removed with it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "apus-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A folder with what another one has.
  package convenience init(copying source: String) throws {
    try self.init()
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: source, toPath: path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    // What lies too deep for Foundation.
    FileSystem.remove(path)
  }

  /// Writes a file, and the folders that lead to it.
  /// - Returns: its path.
  @discardableResult
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = path + "/" + name
    let parent = (file as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  @discardableResult
  package func write(_ name: String, _ text: String) throws -> String { try write(name, text.utf8) }
}
