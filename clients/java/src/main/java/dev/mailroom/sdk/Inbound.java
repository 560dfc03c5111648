package dev.mailroom.sdk;

import java.util.function.Consumer;

/**
 * Operations of <code>inbound</code>.
 */
public final class Inbound {

	final Transport transport;

	Inbound(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List received mail, newest first. With an API key, only mail of the key's domain.
	 * The response has no field <code>success</code>. Permission: inbound.read.
	 */
	public Items<InboundItem> list(InboundListQuery query) {
		return this.transport.list(new Call("inbound.list", "GET", "/inbound").query(query), "emails", InboundItem::of);
	}

	/**
	 * List received mail, newest first. With an API key, only mail of the key's domain.
	 * The response has no field <code>success</code>. Permission: inbound.read.
	 */
	public Items<InboundItem> list() {
		return list(new InboundListQuery());
	}

	/**
	 * List received mail, newest first. With an API key, only mail of the key's domain.
	 * The response has no field <code>success</code>. Permission: inbound.read.
	 */
	public Items<InboundItem> list(Consumer<InboundListQuery> query) {
		InboundListQuery fields = new InboundListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Show a received mail with its content. Permission: inbound.read.
	 */
	public InboundEmail get(String id) {
		return InboundEmail.of(this.transport.json(new Call("inbound.get", "GET", "/inbound/" + Transport.encoded(id)))
			.object("data")
			.object("email"));
	}

	/**
	 * Get the unmodified source of a received mail. Permission: inbound.read.
	 */
	public byte[] source(String id) {
		return this.transport.bytes(new Call("inbound.source", "GET", "/inbound/" + Transport.encoded(id) + "/raw"));
	}

	/**
	 * Get an attachment of a received mail. Permission: inbound.read.
	 */
	public byte[] attachment(String id, int n) {
		return this.transport.bytes(new Call("inbound.attachment", "GET",
				"/inbound/" + Transport.encoded(id) + "/attachments/" + Transport.encoded(n)));
	}

}
