import Images
import TensorCore

/// The samples that models were compared on.
public struct DataReport: Sendable {
  /// The folder or file, as it was named.
  public var path: String
  /// What it was found to be: `folder per class`, `list of pictures`, ….
  public var form: String
  /// The samples that every model answered, in the order in which they were run; other parts of the report
  /// refer to them by position.
  public var samples: [SampleReport]
  /// The names of all classes that any of the models knows, in the baseline's order; other parts of the report
  /// refer to them by position.
  public var classes: [String]
  /// Whether samples have labels. Without them there is agreement, but no accuracy.
  public var isLabelled: Bool
  /// How the labels of the data became classes of the models: `by name`, `by index`, `by synset`, ….
  public var matching: String?
  /// Samples in all, before `--limit` chose some of them.
  public var available: Int
  /// Samples that were left out because a model could not answer them.
  public var skipped: [SkippedSample]
  /// Which samples go together; nil where all are taken to stand alone.
  public var groups: GroupReport?
  /// Samples that look or read like others; nil where there are none.
  public var copies: CopyReport?
  /// What transparent pixels of pictures became.
  public var transparency: ImageOptions.Transparency

  package init(
    path: String, form: String, samples: [SampleReport], classes: [String], isLabelled: Bool,
    matching: String?, available: Int, skipped: [SkippedSample], groups: GroupReport? = nil,
    copies: CopyReport? = nil, transparency: ImageOptions.Transparency = .ignored
  ) {
    self.path = path
    self.form = form
    self.samples = samples
    self.classes = classes
    self.isLabelled = isLabelled
    self.matching = matching
    self.available = available
    self.skipped = skipped
    self.groups = groups
    self.copies = copies
    self.transparency = transparency
  }
}

/// One sample of the data.
public struct SampleReport: Sendable, Hashable {
  /// The picture or the text.
  public var content: Content
  /// The position of its class in ``DataReport/classes``; nil without a label.
  public var label: Int?

  /// What a sample is.
  public enum Content: Sendable, Hashable {
    /// The path of a picture file that can be opened from where the program runs.
    case picture(String)
    case text(String)

    /// Whether both are pictures or both texts, of the same bytes.
    public static func == (left: Content, right: Content) -> Bool {
      switch (left, right) {
      case (.picture(let left), .picture(let right)), (.text(let left), .text(let right)):
        ExactText(left) == ExactText(right)
      default: false
      }
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
      switch self {
      case .picture(let text), .text(let text): hasher.combine(ExactText(text))
      }
    }
  }

  package init(content: Content, label: Int?) {
    self.content = content
    self.label = label
  }

  /// The path or the text.
  public var name: String {
    switch content {
    case .picture(let name), .text(let name): name
    }
  }
}

/// A sample that was left out, and why.
public struct SkippedSample: Sendable, Hashable {
  /// The path or the text.
  public var name: String
  /// Why it was left out.
  public var reason: String

  package init(name: String, reason: String) {
    self.name = name
    self.reason = reason
  }
}

extension DataReport {
  /// What has to be known of samples that are alike, in a sentence or two; nil where it is nothing.
  package var remarkOnCopies: String? {
    if let groups {
      let origin = groups.source == GroupReport.found ? "samples that look or read alike" : groups.source
      return
        "Intervals take the \(samples.count.counted("sample")) as \(groups.count.counted("group")) of \(origin)."
    }
    guard let copies else { return nil }
    let count = samples.count - copies.distinct
    let found =
      "\(count) of the \(samples.count) samples \(count == 1 ? "looks or reads like another" : "look or read like others")"
    guard hasManyCopies else { return "\(found), which is too few to matter." }
    let rest = copies.distinct == 1 ? "1 is left that does not" : "\(copies.distinct) are left that do not"
    return
      "\(found): \(rest). Intervals take every sample for one that stands alone, and "
      + "are too narrow. Say which go together with \(Setting.groups): those of a file, or 'copies' for those that were found."
  }

  /// Whether samples that nobody grouped are copies so often that intervals are too narrow: one in a hundred.
  package var hasManyCopies: Bool {
    guard groups == nil, let copies else { return false }
    return 100 * (samples.count - copies.distinct) >= samples.count
  }
}
