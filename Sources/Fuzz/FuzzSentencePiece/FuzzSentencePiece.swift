import FuzzDriver
import Text

/// Reads the bytes as a sentencepiece model, and cuts its last bytes and joins them again with it; and as a
/// character map.
private func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let text = Array(bytes.suffix(256))
  if let model = try? SentencePieceModel(bytes), let tokenizer = try? SentencePieceTokenizer(model) {
    _ = try? tokenizer.decode(tokenizer.encode(text))
  }
  if let map = try? PrecompiledCharacterMap(bytes) {
    _ = PrecompiledNormalizer(map).normalize(Array(String(decoding: text, as: UTF8.self).utf8))
  }
  return 0
}

/// The package manager makes this the program's entry.
@_cdecl("FuzzSentencePiece_main")
public func start(
  _ argumentCount: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  runFuzzer(argumentCount, arguments, test)
}
