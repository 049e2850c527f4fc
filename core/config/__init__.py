"""What can be configured, and how it is read.

addresses      where notes may be sent: a model's server, over https or on this machine
defaults       what holds where nobody configured anything. Standard library only
limits         the numbers of recall: how much is looked at, and how much may be said
policy         everything that can be configured, checked where it enters; recall's and
               lifecycle's tables in sections
settings       reading the settings files, and saying what in one cannot be used
"""
