// What a program needs to compare models and read what was found.
@_exported import Apus
@_exported import Evaluation
@_exported import Statistics
