"""Deploys template.yaml to the account of the user's credentials, with the settings of one .env file."""
