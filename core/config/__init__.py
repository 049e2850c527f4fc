"""What can be configured, and how it is read.

addresses      where notes may be sent: a model's server, over https or on this machine
event_groups   the kinds of events that a person can switch, in groups. No imports
limits         the numbers of recall: how much is looked at, and how much may be said
policy         everything that can be configured, checked where it enters
settings       reading the settings files, and saying what in one cannot be used
"""
