"""Makes a company's folder from a dozen answers: catalogue, fixed texts, packages and examples."""
