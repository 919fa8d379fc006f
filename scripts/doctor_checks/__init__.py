"""Whether each setting of a deployment works: AWS, Meta and the provider are asked, and every fault has its mend."""
