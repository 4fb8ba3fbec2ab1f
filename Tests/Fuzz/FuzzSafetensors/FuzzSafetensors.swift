import FuzzBodies
import FuzzDriver

/// Reads the bytes as a safetensors file with all its tensors, as an index of shards, and as a configuration.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  Fuzzing.safetensors(bytes)
  Fuzzing.configuration(bytes)
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzSafetensors_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
