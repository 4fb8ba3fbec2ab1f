import CLibrary
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What becomes of who wants to change an index, whatever the system says to a lock.
@Suite struct StoreLockTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  @Test func aDiskWithoutLocks() async throws {
    let error = #expect(throws: ApusError.self) {
      _ = try StoreLock(
        ifFree: folder.path,
        locking: { _ in
          errno = ENOLCK
          return -1
        }, else: {})
    }
    #expect(error?.kind == .file && error?.problem == "cannot be locked: No locks available")
    // It does not wait for what never comes.
    let other = await #expect(throws: ApusError.self) {
      _ = try await StoreLock.whenFree(
        folder.path,
        locking: { _ in
          errno = EBADF
          return -1
        })
    }
    #expect(other?.problem == "cannot be locked: Bad file descriptor")
  }

  @Test func aSignalMeanwhile() throws {
    var calls = 0
    _ = try StoreLock(
      ifFree: folder.path,
      locking: { _ in
        calls += 1
        errno = EINTR
        return calls < 3 ? -1 : 0
      }, else: { Issue.record("nobody has it") })
    #expect(calls == 3)
  }

  @Test func aFolderThatCannotBeWritten() {
    let error = #expect(throws: ApusError.self) { _ = try StoreLock("/dev/null/index") }
    #expect(error?.problem == "cannot be written: Not a directory")
  }

  @Test func whoWaitsCanBeStopped() async throws {
    let lock = try StoreLock(folder.path)
    let error = #expect(throws: ApusError.self) { _ = try StoreLock(folder.path) }
    #expect(error?.problem == "another process is changing this index")
    let path = folder.path
    let waiting = Task { try await StoreLock.whenFree(path) }
    waiting.cancel()
    #expect(try await waiting.value == nil)
    withExtendedLifetime(lock) {}
  }
}
