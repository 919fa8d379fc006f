"""What a load asks of each limit, which limit comes first, and what it costs: arithmetic, no measurement."""
