"""Why no run is known that meets what is found in a file of a search: each module knows one reason."""
