import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// A folder that is watched, and what can happen in it.
final class WatchedRoot: Sendable {
  let folder: TemporaryFolder
  let root: String
  let watch: FolderWatch

  /// - Parameters:
  ///   - name: of the root in the folder; the folder itself where it is empty.
  ///   - mounts: what is said to be mounted.
  init(
    _ name: String = "", mounts: MountTable? = nil, followsLinks: Bool = false, mostFolders: Int? = nil,
    longest: Duration = .milliseconds(600), rescanInterval: Duration = .seconds(600),
    unclosed: Duration = .seconds(20), prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    try prepare(folder)
    let root = name.isEmpty ? folder.path : "\(folder.path)/\(name)"
    self.root = root
    var options = try Self.options()
    options.walk.followsLinks = followsLinks
    options.mostFolders = mostFolders
    options.longest = longest
    options.rescanInterval = rescanInterval
    options.unclosed = unclosed
    watch =
      mounts.map { table in FolderWatch([root], options, mounts: { table }) } ?? FolderWatch([root], options)
  }

  /// Times that tests can wait for.
  static func options() throws -> WatchOptions {
    var options = WatchOptions(WalkOptions(try Exclusions()))
    options.quiet = .milliseconds(60)
    options.rootInterval = .milliseconds(100)
    return options
  }

  struct TooLate: Error {}

  /// The next event.
  func next(within time: Duration = .seconds(20)) async throws -> WatchEvent {
    guard let event = await nextOrNone(within: time) else { throw TooLate() }
    return event
  }

  /// nil when there is none for a time.
  func nextOrNone(within time: Duration) async -> WatchEvent? {
    await withTaskGroup(of: WatchEvent?.self) { group in
      group.addTask { await self.watch.makeAsyncIterator().next() }
      group.addTask {
        try? await Task.sleep(for: time)
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      for await other in group { if first == nil, other != nil { return other } }
      return first
    }
  }

  /// The next event, which must be changes.
  func changes() async throws -> FolderChanges {
    let event = try await next()
    guard case .changes(let changes) = event else {
      Issue.record("\(event)")
      throw TooLate()
    }
    return changes
  }

  /// The first event of every watch.
  func started() async throws { #expect(try await next() == .rescan(root: root, folder: "", .started)) }

  /// Changes that are told together, however slow the machine is: nobody reads the events meanwhile.
  func atOnce(_ body: () throws -> Void) rethrows { try watch.engine.queue.sync(execute: body) }

  func move(_ from: String, _ to: String) { #expect(rename(path(from), path(to)) == 0, "\(from) \(to)") }

  func makeFolder(_ name: String) throws { try FileSystem.makeFolder(path(name)) }

  func remove(_ name: String) { FileSystem.remove(path(name)) }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }
}
