import CLibrary
import TensorCore
import Testing

/// Numbers of files' times.
@Suite struct FileTimeTests {
  private static func number(_ seconds: Int, _ nanoseconds: Int = 0) -> Int {
    FileTime.number(timespec(tv_sec: seconds, tv_nsec: nanoseconds))
  }

  @Test func nearTimesAreNanoseconds() {
    #expect(Self.number(1, 5) == 1_000_000_005)
    #expect(Self.number(-1, 999_999_999) == -1)
    #expect(Self.number(0) == 0)
  }

  /// 2262 is where nanoseconds in 64 bits end; 2446 is where ext4 does.
  @Test func numbersAreInTheOrderOfTimes() {
    let edges = [
      Int.min, -9_223_372_037, -9_223_372_036, -9_223_371_001, -9_223_371_000, -9_223_370_999, -1, 0,
    ]
    let later = [
      1, 9_223_370_999, 9_223_371_000, 9_223_371_001, 9_223_372_036, 9_223_372_037, 15_032_385_535,
    ]
    let numbers = (edges + later).map { Self.number($0) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
    #expect(Self.number(9_223_370_999, 999_999_999) < Self.number(9_223_371_000))
    #expect(Self.number(-9_223_371_001, 999_999_999) < Self.number(-9_223_371_000))
    #expect(Self.number(.max) == .max)
  }
}
