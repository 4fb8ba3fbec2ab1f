import FuzzBodies
import FuzzDriver

/// Reads the bytes as labels, metadata, archives and arrays.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzzing.others(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzFormats_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
