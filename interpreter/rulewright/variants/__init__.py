"""A document and variants → the document that comes out, with the history of every value."""
