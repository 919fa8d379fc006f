"""AWS End User Messaging Social. Its events are read in `core.channels.whatsapp.inbound.social_event`."""
