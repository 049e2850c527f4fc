"""The real agents against stand-ins for their models: `make clients`."""
