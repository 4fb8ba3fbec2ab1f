import Apus
import ApusService
import CApus

public typealias ResultsPlace = UnsafeMutablePointer<UnsafeMutablePointer<apus_classifications>?>?

@c @implementation
public func apus_classify_images(
  _ model: OpaquePointer?, _ images: UnsafePointer<apus_image>?, _ count: Int64, _ top_k: Int64,
  _ call: UnsafePointer<apus_call>?, _ results: ResultsPlace, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let topK = try Arguments.topK(top_k)
    try Classifying.pictures(model, images, count, call, results) { (model, call) throws(ApusError) in
      switch model {
      case .imageClassification(let classifier):
        let waiting = classifier.blocking { call.isCancelled() }
        return { (picture) throws(ApusError) in
          ClassificationResult(try waiting.classify(picture, topK: topK))
        }
      case .zeroShot(let classifier):
        let waiting = classifier.blocking { call.isCancelled() }
        return { (picture) throws(ApusError) in
          ClassificationResult(try waiting.classify(picture, topK: topK))
        }
      default: throw model.misfit(.imageClassification, .zeroShot)
      }
    }
  }
}

@c @implementation
public func apus_zero_shot(
  _ model: OpaquePointer?, _ images: UnsafePointer<apus_image>?, _ count: Int64,
  _ labels: UnsafePointer<apus_text>?, _ label_count: Int64, _ reading: UnsafePointer<CChar>?,
  _ top_k: Int64, _ call: UnsafePointer<apus_call>?, _ results: ResultsPlace, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let topK = try Arguments.topK(top_k)
    let labels = try apus_text.texts(labels, label_count, "label")
    let reading = try ZeroShotReading(json: try Arguments.json(reading, "the reading"))
    try Classifying.pictures(model, images, count, call, results) { (model, call) throws(ApusError) in
      guard case .zeroShot(let classifier) = model else { throw model.misfit(.zeroShot) }
      let waiting = classifier.blocking { call.isCancelled() }
      return { (picture) throws(ApusError) in
        ClassificationResult(
          try waiting.classify(picture, labels: labels, topK: topK, reading: reading))
      }
    }
  }
}

@c @implementation
public func apus_classify_texts(
  _ model: OpaquePointer?, _ texts: UnsafePointer<apus_text>?, _ count: Int64, _ top_k: Int64,
  _ call: UnsafePointer<apus_call>?, _ results: ResultsPlace, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let topK = try Arguments.topK(top_k)
    let texts = try apus_text.texts(texts, count, "text")
    try Classifying.texts(model, call, results) { (classifier, call) throws(ApusError) in
      try classifier.results(for: texts, topK: topK)
    }
  }
}

@c @implementation
public func apus_classify_pairs(
  _ model: OpaquePointer?, _ first: UnsafePointer<apus_text>?, _ second: UnsafePointer<apus_text>?,
  _ count: Int64, _ top_k: Int64, _ call: UnsafePointer<apus_call>?, _ results: ResultsPlace,
  _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let topK = try Arguments.topK(top_k)
    let first = try apus_text.texts(first, count, "first text")
    let second = try apus_text.texts(second, count, "second text")
    let pairs = zip(first, second).map { TextPair($0, $1) }
    try Classifying.texts(model, call, results) { (classifier, call) throws(ApusError) in
      try classifier.results(for: pairs, topK: topK)
    }
  }
}

@c @implementation
public func apus_rerank(
  _ model: OpaquePointer?, _ query: apus_text, _ documents: UnsafePointer<apus_text>?, _ count: Int64,
  _ call: UnsafePointer<apus_call>?, _ scores: UnsafeMutablePointer<Float>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let call = try WatchedCall(call)
    let query = try query.text("the query")
    let pairs = try apus_text.texts(documents, count, "document").map { TextPair(query, $0) }
    guard !pairs.isEmpty else { return }
    let scores = try Arguments.place(scores, "scores")
    guard case .textClassification(let classifier) = handle.model else {
      throw handle.model.misfit(.textClassification)
    }
    guard classifier.labels.count == 1 else {
      throw ApusError(
        .unsupportedModel, "a model with \(classifier.labels.count) classes",
        expected: "a re-ranker, which has one", file: classifier.path)
    }
    let found = try handle.recorded(pairs.count) { () throws(ApusError) in
      try classifier.blocking { call.isCancelled() }.results(for: pairs)
    }
    let values = try call.each(found, "document")
    for (index, value) in values.enumerated() { scores[index] = value?.outputs.first ?? .nan }
    call.tell("run", 1)
  }
}

/// What calls that classify have in common.
private enum Classifying {
  typealias One = (Picture) throws(ApusError) -> ClassificationResult

  static func pictures(
    _ model: OpaquePointer?, _ images: UnsafePointer<apus_image>?, _ count: Int64,
    _ call: UnsafePointer<apus_call>?, _ results: ResultsPlace,
    _ classify: (OpenModel, WatchedCall) throws(ApusError) -> One
  ) throws(ApusError) {
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let call = try WatchedCall(call)
    let results = try Arguments.place(results, "results")
    let one = try classify(handle.model, call)
    let images = try apus_image.places(images, count, "pictures")
    let found = try call.each(images.count, "picture") { (index) throws(ApusError) in
      let picture = try images[index].pointee.picture()
      do throws(ApusError) {
        let result = try one(picture)
        handle.recorder?.record(result.times)
        return result
      } catch {
        handle.recorder?.recordFailure()
        throw error
      }
    }
    results.pointee = try found.block()
  }

  static func texts(
    _ model: OpaquePointer?, _ call: UnsafePointer<apus_call>?, _ results: ResultsPlace,
    _ classify: (Blocking<TextClassifier>, WatchedCall) throws(ApusError) -> [Result<
      TextClassification, ApusError
    >]
  ) throws(ApusError) {
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let call = try WatchedCall(call)
    let results = try Arguments.place(results, "results")
    guard case .textClassification(let classifier) = handle.model else {
      throw handle.model.misfit(.textClassification)
    }
    try call.checkCancelled()
    let outcomes = try classify(classifier.blocking { call.isCancelled() }, call)
    if let recorder = handle.recorder {
      for outcome in outcomes {
        if case .success(let result) = outcome {
          recorder.record(result.times)
        } else {
          recorder.recordFailure()
        }
      }
    }
    let found = try call.each(outcomes, "text").map { $0.map { ClassificationResult($0) } }
    call.tell("run", 1)
    results.pointee = try found.block()
  }
}
