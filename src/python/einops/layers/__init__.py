"""Patterns as layers."""
