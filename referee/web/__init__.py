"""What people and programs reach with a browser or over HTTP; it knows the desk, and not the letters."""
