"""How the model stand-in thinks: it knows what the prompt in front of it says, and nothing else.

`prompt` reads a request, `catalogue` what the company offers, `values` and `refusals` what the customer tells,
`intents` what he wants, `package_answers` and `phrases` find the words; `agent` decides, as the contract orders it.
"""
