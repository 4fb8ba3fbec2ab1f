import Dispatch
import TensorCore

/// Changes below folders, as they happen, from the system's watch of each folder (inotify).
///
/// The first event of each root asks for a walk; later ones are changes. Changes are collected until nothing happened for
/// a short time, and until they are asked for. If folders cannot be watched, or the system lost events, an event names the
/// folders to walk again.
///
/// Not told are changes of permissions only. Disks that are mounted over a root or below it are seen when it is looked
/// at, now and then. The watch ends when the sequence and its iterators are released. All iterators share its events.
package final class FolderWatch: AsyncSequence, Sendable {
  let engine: WatchEngine

  /// - Parameter roots: folders or files, which need not be there yet. Each is watched by itself.
  package convenience init(_ roots: [String], _ options: WatchOptions) {
    self.init(roots, options, mounts: { MountTable() })
  }

  /// - Parameter roots: folders or files, each with what is looked at below it.
  package init(_ roots: [(path: String, options: WatchOptions)]) {
    engine = WatchEngine(roots, mounts: { MountTable() })
  }

  /// - Parameter mounts: gives what is mounted at the time.
  init(_ roots: [String], _ options: WatchOptions, mounts: @escaping @Sendable () -> MountTable) {
    engine = WatchEngine(roots.map { (path: $0, options: options) }, mounts: mounts)
  }

  deinit { engine.stop() }

  package func makeAsyncIterator() -> Iterator { Iterator(watch: self) }

  package struct Iterator: AsyncIteratorProtocol {
    fileprivate let watch: FolderWatch

    /// - Returns: nil when the task is cancelled; the watch goes on, and the next call has what came meanwhile.
    package func next() async -> WatchEvent? { await watch.engine.next() }
  }
}
