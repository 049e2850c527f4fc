"""Rooms follow."""
