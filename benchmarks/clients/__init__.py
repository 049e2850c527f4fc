"""The real agents against stand-ins for their models: `make clients`, never `make test`.

agents        the clients: their packages, how each runs alone, how it names its tools
dialects      three model APIs as clients speak them
installing    a client from its npm package, at its pinned version
outcome       what became of one client: claims, and what was seen where one does not hold
stand_in      a model that returns prepared answers
sharing       MCP in all of them, and what one remembers reaching the others
story         the sessions of one agent
together      the sessions of all at once, beside commands of the user's own
screen        a client on a terminal that is typed into and looked at
surroundings  a user's folder, a repository, and no network
"""
