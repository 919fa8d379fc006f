"""How the model stand-in thinks: it knows what the prompt in front of it says, Portuguese, and nothing of any trade.

`prompt` and `catalogue` read the request, `values` and `limits` the customer's words; `packages` and `phrases` find
ours; `moment` puts a message in its place; `agent` and `stages` decide, as the contract orders.
"""
