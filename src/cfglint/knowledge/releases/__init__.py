"""The releases of a package: their order, version ranges, and the commits between them."""
