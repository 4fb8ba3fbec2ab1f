import FuzzBodies
import FuzzDriver

/// Parses the bytes as an ONNX model, imports it, and runs it when it is small.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  Fuzzing.onnx(bytes)
  Fuzzing.run(onnx: bytes)
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzONNX_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
