"""What may run: verdict, asking, rules, digests."""
