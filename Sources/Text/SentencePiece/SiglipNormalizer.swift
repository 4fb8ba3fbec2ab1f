/// The text cleaning of SigLIP: lower case, no ASCII punctuation, one space between words, and U+2581 only
/// before the first.
struct SiglipNormalizer: TextNormalizer {
  var lowercases = true

  func normalize(_ text: inout NormalizedText) {
    var result = text.startsAtOrigin ? UTF8Bytes.spaceMark : []
    result.reserveCapacity(text.bytes.count + 3)
    let source = PythonText.replacingMarks(text.bytes)
    // The mark at the start is no space, so that space behind it stays.
    var isSpacePending = false
    var isEmpty = !text.startsAtOrigin
    PythonText.forEachCharacter(of: lowercases ? PythonText.lowercased(source) : source) { character, bytes in
      if PythonText.isPunctuation(character) { return }
      if PythonText.isSpace(character) {
        isSpacePending = true
        return
      }
      if isSpacePending, !isEmpty { result.append(0x20) }
      (isSpacePending, isEmpty) = (false, false)
      result.append(contentsOf: bytes)
    }
    text.bytes = result
  }
}
