import TensorCore

/// Which samples are copies of each other.
enum CopySearch {
  /// Pictures of which every one is held against every other; of more, those whose hashes are equal in some position.
  private static let comparedPictures = 20_000

  /// The group of each sample, numbered from 0 in the order of their first samples. Copies of a copy are in its group.
  static func groups(_ samples: [SampleLikeness]) -> [Int] {
    var joined = Array(samples.indices)
    func root(_ sample: Int) -> Int {
      var sample = sample
      while joined[sample] != sample { sample = joined[sample] }
      return sample
    }
    func join(_ a: Int, _ b: Int) {
      let (a, b) = (root(a), root(b))
      joined[max(a, b)] = min(a, b)
    }
    var texts: [ExactText: Int] = [:]
    var pictures: [(sample: Int, likeness: PictureLikeness)] = []
    for (index, sample) in samples.enumerated() {
      switch sample {
      case .text(let text):
        let text = ExactText(text)
        if let first = texts[text] { join(first, index) } else { texts[text] = index }
      case .picture(let likeness): pictures.append((index, likeness))
      }
    }
    for bucket in buckets(pictures.map(\.likeness)) {
      for (place, first) in bucket.enumerated() {
        for second in bucket[(place + 1)...]
        where pictures[first].likeness.isCopy(of: pictures[second].likeness) {
          join(pictures[first].sample, pictures[second].sample)
        }
      }
    }
    var numbers: [Int: Int] = [:]
    return samples.indices.map { sample in
      let first = root(sample)
      let number = numbers[first] ?? numbers.count
      numbers[first] = number
      return number
    }
  }

  /// Positions of pictures that may be copies of each other.
  private static func buckets(_ pictures: [PictureLikeness]) -> [[Int]] {
    guard pictures.count > comparedPictures else { return [Array(pictures.indices)] }
    var buckets: [[UInt64]: [Int]] = [:]
    for (index, picture) in pictures.enumerated() {
      let key = picture.hashes.min().map { [$0] } ?? [picture.digest.words[0], picture.digest.words[1]]
      buckets[key, default: []].append(index)
    }
    return Array(buckets.values)
  }
}

extension CopyReport {
  /// Of the group of each sample; nil where each has its own.
  init?(groups: [Int]) {
    let members = Dictionary(grouping: groups.indices, by: { groups[$0] })
    let several = members.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    guard !several.isEmpty else { return nil }
    self.init(groups: several, sampleCount: groups.count)
  }
}
