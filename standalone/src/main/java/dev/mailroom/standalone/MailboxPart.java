package dev.mailroom.standalone;

import dev.mailroom.standalone.mailbox.Mailbox;

/** The mailbox as a {@link Part}. */
record MailboxPart(Mailbox mailbox) implements Part {

	@Override
	public void start() {
		this.mailbox.start();
	}

	@Override
	public void close() {
		this.mailbox.close();
	}

}
