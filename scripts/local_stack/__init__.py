"""The local stack: the real template on an AWS emulator, with stand-ins for WhatsApp and the model.

from local_stack.lifecycle import PHASES, running_stack
with running_stack(Progress(PHASES)) as stack:      # one's own, gone afterwards
    stack.post_webhook(body)

from local_stack.stack import attach
stack = attach()                                    # the one that `make stack` left running
"""
