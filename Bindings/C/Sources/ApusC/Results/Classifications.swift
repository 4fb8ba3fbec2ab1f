import Apus
import ApusService
import CApus
import FoundationEssentials
import JSONCoding

/// What is said of one input, in the form that callers get.
struct ClassificationResult {
  struct Class {
    let label: String
    let index: Int
    let score: Float
    var logit = Float.nan
    let isUncertain: Bool
  }

  let classes: [Class]
  let isUncertain: Bool
  var wasTruncated = false
  var novelty: Float?
  let times: StageTimes
  /// What else is known.
  let others: [JSONText.Member]
}

extension ClassificationResult {
  init(_ result: Classification) {
    self.init(
      classes: result.predictions.map(Class.init), isUncertain: result.isUncertain, novelty: result.novelty,
      times: result.times,
      others: [
        ("uncertainty", .optional(result.uncertainty?.rawValue)),
        ("preprocessing", .string(result.preprocessing)), ("damage", .optional(result.damage)),
        ("details", Self.details(result.predictions)),
      ])
  }

  init(_ result: ZeroShotClassification) {
    self.init(
      classes: result.predictions.map {
        Class(
          label: $0.label, index: $0.index, score: $0.score, logit: $0.logit, isUncertain: $0.isUncertain)
      }, isUncertain: result.isUncertain, wasTruncated: result.predictions.contains(where: \.wasTruncated),
      novelty: result.novelty, times: result.times,
      others: [
        ("uncertainty", .optional(result.uncertainty?.rawValue)),
        ("scoring", .string(result.scoring.rawValue)),
        ("preprocessing", .optional(result.preprocessing)), ("damage", .optional(result.damage)),
      ])
  }

  init(_ result: TextClassification) {
    self.init(
      classes: result.predictions.map(Class.init), isUncertain: result.isUncertain,
      wasTruncated: result.wasTruncated, times: result.times,
      others: [
        ("uncertainty", .optional(result.uncertainty?.rawValue)),
        ("token_count", .integer(result.tokenCount)), ("outputs", .vector(result.outputs)),
        ("details", Self.details(result.predictions)),
      ])
  }

  /// What label files say besides, by the class's index; null where they say nothing.
  private static func details(_ predictions: [Prediction]) -> JSONText {
    let known = predictions.compactMap { prediction -> JSONText.Member? in
      guard let details = prediction.details, let text = JSONText(encoding: details) else { return nil }
      return ("\(prediction.index)", text)
    }
    return known.isEmpty ? .null : .object(known)
  }

  /// What else is known, and the times.
  var json: JSONText {
    let milliseconds: JSONText = .object([
      ("decode", times.decode.json), ("tokenize", times.tokenize.json),
      ("preprocess", times.preprocess.json), ("run", times.run.json), ("rank", times.rank.json),
      ("labels", times.labels.json),
    ])
    return .object(
      others.filter { if case .null = $0.value { false } else { true } } + [("milliseconds", milliseconds)])
  }
}

extension ClassificationResult.Class {
  init(_ prediction: Prediction) {
    self.init(
      label: prediction.label, index: prediction.index, score: prediction.score,
      isUncertain: prediction.isUncertain)
  }
}

extension [ClassificationResult?] {
  /// All results as one block.
  func block() throws(ApusError) -> UnsafeMutablePointer<apus_classifications> {
    var block = Block()
    let head = try block.reserve(apus_classifications.self)
    let items = try block.reserve(apus_classification.self, count: count)
    block.write { base in
      let head = base.address(head, of: apus_classifications.self)
      head.pointee.size = Int64(MemoryLayout<apus_classifications>.stride)
      head.pointee.items = UnsafePointer(base.address(items, of: apus_classification.self))
      head.pointee.count = Int64(self.count)
    }
    for (index, result) in enumerated() {
      let place = items + index * MemoryLayout<apus_classification>.stride
      if let result { try result.add(to: &block, at: place) } else { Self.addFailed(to: &block, at: place) }
    }
    return try block.make().address(head)
  }

  private static func addFailed(to block: inout Block, at place: Int) {
    block.write { base in
      let item = base.address(place, of: apus_classification.self)
      item.pointee.size = Int64(MemoryLayout<apus_classification>.stride)
      item.pointee.novelty = .nan
    }
  }
}

extension ClassificationResult {
  fileprivate func add(to block: inout Block, at place: Int) throws(ApusError) {
    let predictions = try block.reserve(apus_prediction.self, count: classes.count)
    var labels: [(place: Int, length: Int)] = []
    for known in classes { labels.append((try block.add(known.label), known.label.utf8.count)) }
    let json = try block.add(json.bytes + [0])
    let places = labels
    block.write { base in
      let item = base.address(place, of: apus_classification.self)
      let first = base.address(predictions, of: apus_prediction.self)
      item.pointee.size = Int64(MemoryLayout<apus_classification>.stride)
      item.pointee.predictions = UnsafePointer(first)
      item.pointee.count = Int64(classes.count)
      item.pointee.is_uncertain = isUncertain ? 1 : 0
      item.pointee.was_truncated = wasTruncated ? 1 : 0
      item.pointee.novelty = novelty ?? .nan
      item.pointee.json = UnsafePointer(base.address(json, of: CChar.self))
      for (index, known) in classes.enumerated() {
        var prediction = apus_prediction()
        prediction.size = Int64(MemoryLayout<apus_prediction>.stride)
        prediction.label = UnsafePointer(base.address(places[index].place, of: CChar.self))
        prediction.label_length = Int64(places[index].length)
        prediction.index = Int64(known.index)
        prediction.score = known.score
        prediction.logit = known.logit
        prediction.is_uncertain = known.isUncertain ? 1 : 0
        first[index] = prediction
      }
    }
  }
}
