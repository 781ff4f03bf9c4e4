"""The pages about adding to Jarvis, followed step by step."""
