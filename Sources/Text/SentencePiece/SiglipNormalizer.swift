/// The text cleaning of SigLIP: lower case, no ASCII punctuation, one space between words, and U+2581 only
/// before the first.
struct SiglipNormalizer: TextNormalizer {
  var lowercases = true

  func normalize(_ text: inout NormalizedText) {
    var result = text.startsAtOrigin ? UTF8Bytes.spaceMark : []
    result.reserveCapacity(text.bytes.count + 3)
    let unmarked = PythonText.replacingMarks(text.bytes)
    let source = lowercases ? PythonText.lowercased(unmarked) : unmarked
    // The mark at the start is no space, so that space behind it stays.
    var isSpacePending = false
    var isEmpty = !text.startsAtOrigin && !text.continues
    PythonText.forEachCharacter(of: source) { character, place in
      if PythonText.isPunctuation(character) { return }
      if PythonText.isSpace(character) {
        isSpacePending = true
        return
      }
      if isSpacePending, !isEmpty { result.append(0x20) }
      (isSpacePending, isEmpty) = (false, false)
      if place.count == 1 { result.append(source[place.lowerBound]) } else { result += source[place] }
    }
    text.bytes = result
  }
}
