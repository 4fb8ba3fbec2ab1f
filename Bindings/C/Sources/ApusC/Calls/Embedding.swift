import Apus
import CApus

@c @implementation
public func apus_embedding_width(
  _ model: OpaquePointer?, _ width: UnsafeMutablePointer<Int64>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let width = try Arguments.place(width, "width")
    width.pointee = Int64(try handle.model.embeddingWidth())
  }
}

@c @implementation
public func apus_embed_texts(
  _ model: OpaquePointer?, _ texts: UnsafePointer<apus_text>?, _ count: Int64,
  _ prompt: UnsafePointer<CChar>?, _ call: UnsafePointer<apus_call>?,
  _ vectors: UnsafeMutablePointer<Float>?, _ capacity: Int64, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let call = try WatchedCall(call)
    let texts = try apus_text.texts(texts, count, "text")
    let rows = try VectorRows(vectors, capacity, count: texts.count, width: try handle.model.embeddingWidth())
    try call.checkCancelled()
    guard !texts.isEmpty else { return }
    let outcomes: [Result<Embedding, ApusError>] = try handle.recorded(texts.count) { () throws(ApusError) in
      switch handle.model {
      case .textEmbedding(let embedder):
        return try embedder.blocking { call.isCancelled() }.results(
          for: texts, prompt: Arguments.name(prompt))
      case .zeroShot(let classifier):
        guard prompt == nil else {
          throw ApusError(.argument, "a prompt for a model that has none", expected: "NULL")
        }
        return try classifier.blocking { call.isCancelled() }.embed(texts: texts).map { .success($0) }
      default: throw handle.model.misfit(.textEmbedding, .zeroShot)
      }
    }
    for (index, embedding) in try call.each(outcomes, "text").enumerated() { rows.write(embedding, index) }
    call.tell("run", 1)
  }
}

@c @implementation
public func apus_embed_images(
  _ model: OpaquePointer?, _ images: UnsafePointer<apus_image>?, _ count: Int64,
  _ call: UnsafePointer<apus_call>?, _ vectors: UnsafeMutablePointer<Float>?, _ capacity: Int64,
  _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let call = try WatchedCall(call)
    let images = try apus_image.places(images, count, "pictures")
    let rows = try VectorRows(
      vectors, capacity, count: images.count, width: try handle.model.embeddingWidth())
    let embed: (Picture) throws(ApusError) -> Embedding
    switch handle.model {
    case .imageEmbedding(let embedder):
      let waiting = embedder.blocking { call.isCancelled() }
      embed = { (picture) throws(ApusError) in try waiting.embed(picture) }
    case .zeroShot(let classifier):
      let waiting = classifier.blocking { call.isCancelled() }
      embed = { (picture) throws(ApusError) in try waiting.embed(picture) }
    default: throw handle.model.misfit(.imageEmbedding, .zeroShot)
    }
    let found = try call.each(images.count, "picture") { (index) throws(ApusError) in
      let picture = try images[index].pointee.picture()
      return try handle.recorded(1) { () throws(ApusError) in try embed(picture) }
    }
    for (index, embedding) in found.enumerated() { rows.write(embedding, index) }
  }
}

@c @implementation
public func apus_similarity(
  _ a: UnsafePointer<Float>?, _ rows_a: Int64, _ b: UnsafePointer<Float>?, _ rows_b: Int64,
  _ width: Int64, _ cosines: UnsafeMutablePointer<Float>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let width = try Arguments.count(width, "width")
    let rows = try Similarity.vectors(a, rows_a, width, "rows of a")
    let columns = try Similarity.vectors(b, rows_b, width, "rows of b")
    guard !rows.isEmpty, !columns.isEmpty else { return }
    let cosines = try Arguments.place(cosines, "cosines")
    guard !rows.count.multipliedReportingOverflow(by: columns.count).overflow else {
      throw ApusError(.argument, "\(rows_a) × \(rows_b) rows", expected: "as many as memory holds")
    }
    // A row at a time, as there may be millions.
    for (index, row) in rows.enumerated() {
      for (place, cosine) in Embedding.cosines([row], columns)[0].enumerated() {
        cosines[index * columns.count + place] = cosine
      }
    }
  }
}

private enum Similarity {
  static func vectors(
    _ pointer: UnsafePointer<Float>?, _ rows: Int64, _ width: Int, _ what: String
  ) throws(ApusError) -> [Embedding] {
    let count = try Arguments.count(rows, "the number of \(what)")
    guard count > 0, width > 0 else { return (0..<count).map { _ in Embedding([]) } }
    let (total, overflow) = count.multipliedReportingOverflow(by: width)
    guard !overflow, let pointer else { throw Arguments.missing(what) }
    _ = total
    return (0..<count).map { row in
      Embedding(Array(UnsafeBufferPointer(start: pointer + row * width, count: width)))
    }
  }
}

/// The caller's memory for vectors, one behind the other.
private struct VectorRows {
  private let start: UnsafeMutablePointer<Float>?
  private let width: Int

  /// - Throws: ``ApusError`` of kind `argument` where they have no room.
  init(
    _ start: UnsafeMutablePointer<Float>?, _ capacity: Int64, count: Int, width: Int
  ) throws(ApusError) {
    let (needed, overflow) = count.multipliedReportingOverflow(by: width)
    let capacity = try Arguments.count(capacity, "capacity")
    guard !overflow, needed <= capacity else {
      throw ApusError(
        .argument, "room for \(capacity) numbers", expected: "\(count) × \(width), a vector for each input")
    }
    guard needed == 0 || start != nil else { throw Arguments.missing("vectors") }
    (self.start, self.width) = (start, width)
  }

  /// Writes a row; NaN where there is no vector.
  func write(_ embedding: Embedding?, _ row: Int) {
    guard let start else { return }
    let target = UnsafeMutableBufferPointer(start: start + row * width, count: width)
    guard let embedding, embedding.values.count == width else { return target.update(repeating: .nan) }
    _ = target.update(fromContentsOf: embedding.values)
  }
}

extension OpenModel {
  /// How many numbers an embedding has.
  /// - Throws: ``ApusError`` of kind `argument` for a model that embeds nothing.
  fileprivate func embeddingWidth() throws(ApusError) -> Int {
    switch self {
    case .textEmbedding(let model): model.width
    case .imageEmbedding(let model): model.width
    case .zeroShot(let model): model.width
    default: throw misfit(.textEmbedding, .imageEmbedding, .zeroShot)
    }
  }
}
