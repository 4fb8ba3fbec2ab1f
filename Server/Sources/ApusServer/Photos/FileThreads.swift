import ApusPhotos
import Dispatch

/// Threads that wait for the disk: those of models are busy for as long as a run takes, and those of connections wait for
/// nothing.
enum FileThreads {
  private static let queues = (0..<4).map { DispatchQueue(label: "apus.files.\($0)") }

  /// A piece of a photograph's file.
  static func piece(_ number: Int, of content: PhotoContent) async throws -> [UInt8] {
    let queue = queues[Int(bitPattern: ObjectIdentifier(content)) >> 4 & 3]
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try content.piece(number) }) }
    }
  }
}
