import CLibrary
import Dispatch
import TestSupport
import Testing

@testable import ApusPhotos

/// A root that could not be opened when its watch began.
@Suite struct ClosedRootTests {
  @Test func itIsLookedAtAgain() throws {
    let folder = try TemporaryFolder()
    try folder.write("closed/a.jpg", "x")
    let root = "\(folder.path)/closed"
    #expect(chmod(folder.path, 0o755) == 0 && chmod(root, 0) == 0)
    defer { _ = chmod(root, 0o755) }
    let options = try WatchedRoot.options()
    let queue = DispatchQueue(label: "closed")
    let watch = try AnotherUser.run {
      RootWatch(root, options, mounts: { MountTable() }, on: queue) {}
    }
    let start = ContinuousClock.now
    #expect(watch.takeEvent(start) == .rescan(root: root, folder: "", .started))
    #expect(watch.takeEvent(start) == nil)
    #expect(watch.nextTime(after: start) <= start + options.rootInterval)

    #expect(chmod(root, 0o755) == 0)
    let later = start + options.rescanInterval + .seconds(1)
    watch.tick(later)
    #expect(watch.takeEvent(later) == .rescan(root: root, folder: "", .interval))
    #expect(watch.takeEvent(later) == nil)
  }
}
