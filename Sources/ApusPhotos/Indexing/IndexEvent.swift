import Apus

/// An event while photographs are indexed.
public enum IndexEvent: Sendable {
  /// A folder is walked.
  case walking(String)
  /// More pictures are done, and safe on the disk.
  case progress(IndexProgress)
  /// A file cannot be read or is no picture; it stays in the index with its error.
  case failure(path: String, ApusError)
  /// So many files were being read, or waited to be, when an earlier indexing was ended from outside, or ended the program:
  /// they are read behind all others, a few at a time, and alone where that happened again.
  case putAside(files: Int)
  /// A folder is not as it was, so that nothing in it is taken for missing: it is absent, empty or on another disk. Of
  /// another disk nothing is taken at all, see ``IndexOptions/takesOtherDisks``.
  case kept(folder: String, reason: String)
}
