package dev.mailroom.standalone;

import dev.mailroom.standalone.mailbox.MailboxServer;

/** The mailbox as a {@link Part}. */
record MailboxPart(MailboxServer mailbox) implements Part {

	@Override
	public void start() {
		this.mailbox.start();
	}

	@Override
	public void close() {
		this.mailbox.close();
	}

}
