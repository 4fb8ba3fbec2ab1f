"""Training of the classifier of rice leaf diseases in Weights/rice-leaf."""
