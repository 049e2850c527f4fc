"""What memdeck decides. No SQL, no widgets.

compat        MemoryCoordinator: one object that names every act of the services
context       what every service is handed
memdeck       the services, each made when it is first asked for
services/     one service a file: what a door may ask for
text/         words, sentences, sameness, times: the one place for each; language/ its data
judgement/    the fitted models, and their explanations
redaction/    secrets leave here
review/       panel, scorers, engines
lifecycle/    importance, summaries
ingest/       from a session file to captures, and from a capture to a memory, or not
recall/       from a prompt to the text handed to the agent
values        what recall gives; answers: what else the core takes and gives
config/       everything that can be configured
query/        the query language
projects      which project a folder belongs to
"""
