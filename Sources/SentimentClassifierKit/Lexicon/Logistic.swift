import CLibrary

/// The probability of which `logit` is the logarithm of the odds.
func logistic(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
