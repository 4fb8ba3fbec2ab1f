import FuzzBodies
import FuzzDriver

/// Reads the bytes as a sentencepiece model and as a character map, and uses what is sound.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzzing.sentencePiece(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzSentencePiece_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
