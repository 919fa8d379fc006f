"""What Meta says through webhooks, read into the words of the domain.

Pure code, so it lives inside: the webhook door, the process function (raw bodies on the queue) and the SNS entry of
End User Messaging all read the same payload, and adapters may not import each other.
"""
