"""What goes wrong in plans, and what may differ without being wrong."""
