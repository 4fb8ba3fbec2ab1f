extension StandardStreams {
  /// Says on standard error what people should know of a model that a command opened: which files beside it were passed
  /// over, and why.
  package static func report(notes: [String]) {
    for note in notes { report("apus: \(note)") }
  }
}
