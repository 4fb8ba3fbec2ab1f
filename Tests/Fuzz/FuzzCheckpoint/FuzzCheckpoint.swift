import FuzzBodies
import FuzzDriver

/// Reads the bytes as a checkpoint of PyTorch with all its tensors.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzzing.checkpoint(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzCheckpoint_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
