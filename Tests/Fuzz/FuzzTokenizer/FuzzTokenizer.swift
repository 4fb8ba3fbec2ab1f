import FuzzBodies
import FuzzDriver

/// Reads the bytes as a tokenizer file and as an expression, and as text with small tokenizers of each kind.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzzing.tokenizer(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzTokenizer_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
