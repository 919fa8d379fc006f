"""What a deployment is made of, for whoever deploys."""
