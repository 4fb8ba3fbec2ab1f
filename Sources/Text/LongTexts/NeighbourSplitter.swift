/// A step that cuts between two characters by what these are, whatever is around them.
protocol NeighbourSplitter: PreTokenizer {
  /// Whether it cuts between a character and the one before it.
  func cuts(before character: UInt32, after previous: UInt32) -> Bool
  /// Whether it drops a character.
  func drops(_ character: UInt32) -> Bool
}

extension NeighbourSplitter {
  func cut(in text: [UInt8]) -> Int {
    text.lastCharacter { character, previous in
      previous.map { cuts(before: character, after: $0) } ?? false
    } ?? 0
  }

  func uncutStart(of text: [UInt8]) -> Int {
    let source = text.span
    var (place, previous): (Int, UInt32?) = (0, nil)
    while place < source.count {
      let (character, length) = source.scalar(at: place)
      if let previous {
        if cuts(before: character, after: previous) { return place }
      } else if drops(character) {
        return 0
      }
      (place, previous) = (place + length, character)
    }
    return place
  }

  var seesNeighboursAlone: Bool { true }
}

extension BertPreTokenizer: NeighbourSplitter {
  func cuts(before character: UInt32, after previous: UInt32) -> Bool {
    isAlone(character) || isAlone(previous)
  }

  func drops(_ character: UInt32) -> Bool { CharacterProperties(character).contains(.whitespace) }

  private func isAlone(_ character: UInt32) -> Bool {
    !CharacterProperties(character).isDisjoint(with: [.whitespace, .punctuation])
  }
}

extension WhitespaceSplitter: NeighbourSplitter {
  func cuts(before character: UInt32, after previous: UInt32) -> Bool {
    drops(character) || kind(character) != kind(previous)
  }

  func drops(_ character: UInt32) -> Bool { CharacterProperties(character).contains(.whitespace) }

  private func kind(_ character: UInt32) -> CharacterProperties {
    CharacterProperties(character).intersection([.word, .whitespace])
  }
}

extension PropertySplitter: NeighbourSplitter {
  func cuts(before character: UInt32, after previous: UInt32) -> Bool {
    let (isPlace, followsPlace) = (
      CharacterProperties(character).contains(property), CharacterProperties(previous).contains(property)
    )
    return switch behavior {
    case .isolated, .removed: isPlace || followsPlace
    case .contiguous: isPlace != followsPlace
    case .mergedWithPrevious: followsPlace
    case .mergedWithNext: isPlace
    }
  }

  func drops(_ character: UInt32) -> Bool {
    behavior == .removed && CharacterProperties(character).contains(property)
  }
}
