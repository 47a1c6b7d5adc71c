"""The settings of the site for Sphinx (https://www.sphinx-doc.org/en/master/usage/configuration.html).

Everything that a page needs is on the site: no fonts, scripts or search of another host.
"""

import cfglint

project = "cfglint"
author = "The cfglint maintainers"
copyright = "the cfglint maintainers"  # noqa: A001
release = cfglint.__version__
language = "en"

extensions = ["myst_parser"]
myst_enable_extensions = ["attrs_block", "attrs_inline", "deflist"]
# The texts of rules have angle brackets that are no HTML.
myst_disable_syntax = ["html_block", "html_inline"]
myst_heading_anchors = 4
# Links are to pages; other domains would read each as the name of a C++ object first.
myst_ref_domains = ["std"]
smartquotes = False
myst_heading_slug_func = "tools.site.anchors.slug"
# Examples of broken YAML and JSON are meant to be broken.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"cfglint {release}"
html_static_path = ["static"]
html_css_files = ["cfglint.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_use_index = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_theme_options = {
    "top_of_page_buttons": [],
    "navigation_with_keys": True,
}
