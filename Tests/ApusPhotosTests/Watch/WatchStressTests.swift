import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// A list of pictures that only follows what a watch tells is in the end the list that a walk gives, whatever happened
/// to the folders meanwhile.
@Suite struct WatchStressTests {
  @Test(arguments: [1, 2, 3, 4])
  func aListThatFollowsTheWatchIsThatOfAWalk(_ seed: UInt64) async throws {
    let watched = try WatchedRoot(longest: .milliseconds(150)) {
      try $0.write("a/b/start.jpg", "x")
    }
    let happening = Task.detached { try Self.changes(watched.root, seed: seed) }
    let list = PictureList(watched.root)
    while true {
      guard let event = await watched.nextOrNone(within: .milliseconds(1500)) else { break }
      try list.follow(event)
    }
    try await happening.value
    while let event = await watched.nextOrNone(within: .milliseconds(500)) { try list.follow(event) }
    #expect(try list.pictures == PictureList.walk(watched.root, ""), "seed \(seed)")
    #expect(!list.pictures.isEmpty)
  }

  /// Files and folders are made, written, renamed, exchanged and removed at random, at once and with pauses.
  private static func changes(_ root: String, seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let names = ["a", "b", "c", "@eaDir"]
    func folder() -> String {
      let depth = Int.random(in: 0...4, using: &random)
      return ([root] + (0..<depth).map { _ in names.randomElement(using: &random) ?? "" }).joined(
        separator: "/")
    }
    func file() -> String {
      "\(folder())/\(Int.random(in: 0..<6, using: &random)).\(Bool.random(using: &random) ? "jpg" : "txt")"
    }
    for _ in 0..<4000 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...1: try? FileSystem.makeFolder(folder())
      case 2...5:
        let content = Data(random.bytes(Int.random(in: 0...20, using: &random)))
        _ = FileManager.default.createFile(atPath: file(), contents: content)
      case 6...7: _ = rename(file(), file())
      case 8...9:
        let (from, to) = (folder(), folder())
        if from != root, to != root { _ = rename(from, to) }
      case 10: unlink(file())
      default:
        let folder = folder()
        if folder != root, Int.random(in: 0..<3, using: &random) == 0 { FileSystem.remove(folder) }
        if Int.random(in: 0..<20, using: &random) == 0 {
          usleep(UInt32.random(in: 0...80_000, using: &random))
        }
      }
    }
  }
}

/// What is known of a root's pictures.
private final class PictureList {
  private let root: String
  private(set) var pictures: [String: FileVersion] = [:]

  init(_ root: String) { self.root = root }

  func follow(_ event: WatchEvent) throws {
    switch event {
    case .changes(let changes):
      for file in changes.files {
        let version = FileSystem.isFile("\(root)/\(file)") ? FileSystem.version(of: "\(root)/\(file)") : nil
        pictures[file] = try Exclusions().excludes(file) ? nil : version
      }
      for folder in changes.folders { try walk(folder) }
    case .rescan(_, let folder, _): try walk(folder)
    case .unwatched, .lost: Issue.record("\(event)")
    }
  }

  private func walk(_ folder: String) throws {
    pictures = pictures.filter { !folder.isEmpty && !$0.key.hasPrefix("\(folder)/") }
    pictures.merge(try Self.walk(root, folder)) { $1 }
  }

  /// The pictures below a folder, without the times that a rename changes.
  static func walk(_ root: String, _ folder: String) throws -> [String: FileVersion] {
    let exclusions = try Exclusions()
    let walk = PictureWalk(folder.isEmpty ? root : "\(root)/\(folder)", WalkOptions(exclusions))
    var found: [String: FileVersion] = [:]
    while let part = try walk.next() {
      for file in part.files where !file.path.isEmpty {
        let path = folder.isEmpty ? file.path : "\(folder)/\(file.path)"
        found[path] = exclusions.excludes(path) ? nil : file.version
      }
    }
    return found
  }
}
