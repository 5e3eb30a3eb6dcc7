"""From a prompt or documents to typed values: the layer that joins models, masks and checks."""
