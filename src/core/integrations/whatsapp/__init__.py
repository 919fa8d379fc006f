"""WhatsApp's Cloud API. What its webhooks say is read in `core.channels.whatsapp.inbound`."""
