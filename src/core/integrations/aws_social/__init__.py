"""AWS End User Messaging Social. Its events are read in `core.application.meta_webhook.social_event`."""
