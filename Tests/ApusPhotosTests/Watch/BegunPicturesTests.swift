import CLibrary
import TensorCore
import Testing

@testable import ApusPhotos

/// When a picture that nobody closes is taken to be whole.
@Suite struct BegunPicturesTests {
  private static func version(_ byteCount: Int) -> FileVersion {
    var status = stat()
    status.st_size = byteCount
    return FileVersion(status)
  }

  @Test func onesThatStayAsTheyAre() {
    let begin = ContinuousClock.now
    let (due, next) = (begin + .seconds(1), begin + .seconds(2))
    var pictures = BegunPictures()
    #expect(pictures.nextLook == nil)
    for (path, size) in [(1, 5), (2, 5), (3, 0), (4, 5), (5, 5)] as [(UInt8, Int)] {
      pictures.note([path], Self.version(size), lookingAt: path == 5 ? next : due)
    }
    #expect(pictures.nextLook == due)
    func takeWhole(_ now: ContinuousClock.Instant, _ sizes: [[UInt8]: Int]) -> [[UInt8]] {
      pictures.takeWhole(now, elseLookingAt: now + .seconds(1)) { sizes[$0].map(Self.version) }
    }
    // One is whole, one grew, one is empty, one is gone, and one is to be looked at later.
    #expect(takeWhole(begin, [:]) == [])
    #expect(takeWhole(due, [[1]: 5, [2]: 6, [3]: 0, [5]: 5]) == [[1]])
    #expect(pictures.nextLook == next)
    pictures.remove([5])
    #expect(takeWhole(next, [[2]: 6, [3]: 0, [4]: 5, [5]: 5]) == [[2]])
    #expect(pictures.nextLook == next + .seconds(1))
  }
}
