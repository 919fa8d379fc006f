"""What is asked of the locked packages before a release: licences and known vulnerabilities."""
