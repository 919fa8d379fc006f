"""What `make check` looks at: settings, the template, and every file of a company, without a stack or a network."""
