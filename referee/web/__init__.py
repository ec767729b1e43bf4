"""Pages with a referee in them."""
