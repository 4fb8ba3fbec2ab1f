import FuzzBodies
import FuzzDriver

/// Decodes the bytes as a picture.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzzing.pictures(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzImages_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
