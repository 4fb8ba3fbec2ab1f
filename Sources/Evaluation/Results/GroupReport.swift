/// Samples that go together, such as pictures of one photograph: intervals count them as what they tell.
public struct GroupReport: Sendable, Hashable {
  /// What said which samples go together: a file, or ``found``.
  public var source: String
  /// Groups, samples that stand alone among them.
  public var count: Int
  /// The group of each sample, in the order of ``DataReport/samples``, numbered from 0.
  public var members: [Int]

  /// The source of groups that were found because samples look or read alike.
  public static let found = "copies"

  package init(source: String, members: [Int]) {
    self.source = source
    self.members = members
    count = Set(members).count
  }
}

/// Samples that look or read like others: pictures that were made of one, also turned and mirrored, and texts that are the
/// same but for case, spaces and punctuation.
public struct CopyReport: Sendable, Hashable {
  /// Groups of samples that are alike, as positions in ``DataReport/samples``, each of two or more.
  public var groups: [[Int]]
  /// Samples less those that are a copy of an earlier one.
  public var distinct: Int

  package init(groups: [[Int]], sampleCount: Int) {
    self.groups = groups
    distinct = sampleCount - groups.reduce(0) { $0 + $1.count - 1 }
  }
}
