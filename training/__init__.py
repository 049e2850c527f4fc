"""How the weights in `core/judgement/fitted/` come about. Not part of the installed package."""
