/// What a sample is known by when copies of it are looked for.
enum SampleLikeness: Sendable {
  case picture(PictureLikeness)
  /// Words in lower case without punctuation.
  case text(String)

  init(_ sample: Sample) {
    switch sample {
    case .picture(let image): self = .picture(PictureLikeness(image))
    case .text(let text):
      let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
      // A text of signs alone is what it is.
      self = .text(words.isEmpty ? text : words.joined(separator: " "))
    }
  }
}
