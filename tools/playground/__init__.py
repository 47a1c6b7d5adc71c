"""The playground: cfglint in a browser, as a folder of files that any web server can serve."""
