"""How a session becomes captures (`extract/`), and how a capture becomes a memory, or does not.

pipeline      the gates in order, and nothing else
triviality    is there anything here worth keeping?
promotion     when a finding leaves its session for the project
kinds         which of the five types, which of the nine categories
fingerprint   do we know this very text already?
duplicates    do we know it in other words? `repetition`: was the session told it?
conflicts     what contradicts it, or speaks of the same thing?
verdicts      how far the judge of pairs errs, by what people decided
"""
