"""What can be configured, and how it is read.

schema     how a setting is declared, and how values are checked. Standard library only
limits     the settings of recall, which hooks read too. Standard library only
policy     all other settings, each with its default, its range and its manual
settings   reads the settings files, and says what in one cannot be used
"""
