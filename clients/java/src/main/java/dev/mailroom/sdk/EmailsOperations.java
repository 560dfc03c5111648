package dev.mailroom.sdk;

import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>emails</code>.
 */
class EmailsOperations {

	final Transport transport;

	EmailsOperations(Transport transport) {
		this.transport = transport;
	}

	/**
	 * Send a mail, now or at a given time. A mail for which this responds with 200 is
	 * stored durably and will be attempted. A refused mail does not count towards the
	 * quota. A key of the account sends from each of its verified domains. Permission:
	 * emails.send or emails.sandbox.
	 */
	public AcceptedEmail send(Email body) {
		return AcceptedEmail
			.of(this.transport.json(new Call("emails.send", "POST", "/emails").repeatable().json(body)));
	}

	/**
	 * Send a mail, now or at a given time. A mail for which this responds with 200 is
	 * stored durably and will be attempted. A refused mail does not count towards the
	 * quota. A key of the account sends from each of its verified domains. Permission:
	 * emails.send or emails.sandbox.
	 */
	public AcceptedEmail send(Consumer<Email> fields) {
		Email body = new Email();
		fields.accept(body);
		return send(body);
	}

	/**
	 * Send up to 100 mails independently of each other. <code>data</code> has the length
	 * and the order of the request. A refused mail does not prevent the others. If the
	 * quota does not cover all valid mails, none is sent. With a key of the account, a
	 * mail from a domain that is not verified is refused on its own. Permission:
	 * emails.send or emails.sandbox.
	 */
	JsonObject sendBatchOnce(List<Email> body) {
		return this.transport.json(new Call("emails.sendBatch", "POST", "/emails/batch").repeatable().json(body));
	}

	/**
	 * Send a message in the format of mail (RFC 5322, MIME). For programs that have a
	 * mail library. The rules, errors and the response are those of
	 * <code>POST /emails</code>. Mailroom composes the message anew: text, HTML,
	 * attachments and the headers that a sender may set are kept; a message that is
	 * signed or encrypted (S/MIME, OpenPGP) is refused. A header
	 * <code>Idempotency-Key</code> of the message counts if the request has none. The
	 * same key stands for the same mail; Message-ID, Date and the boundaries of parts may
	 * differ. Permission: emails.send or emails.sandbox.
	 */
	public AcceptedEmail sendMime(byte[] body, EmailsSendMimeQuery query) {
		return AcceptedEmail.of(this.transport.json(new Call("emails.sendMime", "POST", "/emails/mime").repeatable()
			.query(query)
			.body("message/rfc822", body)));
	}

	/**
	 * Send a message in the format of mail (RFC 5322, MIME). For programs that have a
	 * mail library. The rules, errors and the response are those of
	 * <code>POST /emails</code>. Mailroom composes the message anew: text, HTML,
	 * attachments and the headers that a sender may set are kept; a message that is
	 * signed or encrypted (S/MIME, OpenPGP) is refused. A header
	 * <code>Idempotency-Key</code> of the message counts if the request has none. The
	 * same key stands for the same mail; Message-ID, Date and the boundaries of parts may
	 * differ. Permission: emails.send or emails.sandbox.
	 */
	public AcceptedEmail sendMime(byte[] body) {
		return sendMime(body, new EmailsSendMimeQuery());
	}

	/**
	 * Send a message in the format of mail (RFC 5322, MIME). For programs that have a
	 * mail library. The rules, errors and the response are those of
	 * <code>POST /emails</code>. Mailroom composes the message anew: text, HTML,
	 * attachments and the headers that a sender may set are kept; a message that is
	 * signed or encrypted (S/MIME, OpenPGP) is refused. A header
	 * <code>Idempotency-Key</code> of the message counts if the request has none. The
	 * same key stands for the same mail; Message-ID, Date and the boundaries of parts may
	 * differ. Permission: emails.send or emails.sandbox.
	 */
	public AcceptedEmail sendMime(byte[] body, Consumer<EmailsSendMimeQuery> query) {
		EmailsSendMimeQuery fields = new EmailsSendMimeQuery();
		query.accept(fields);
		return sendMime(body, fields);
	}

	/**
	 * List mails, newest first. With the API key of a domain, only mail of that domain.
	 * Permission: emails.read.
	 */
	public Items<EmailLogItem> list(EmailsListQuery query) {
		return this.transport.list(new Call("emails.list", "GET", "/emails/logs").query(query), "emails",
				EmailLogItem::of);
	}

	/**
	 * List mails, newest first. With the API key of a domain, only mail of that domain.
	 * Permission: emails.read.
	 */
	public Items<EmailLogItem> list() {
		return list(new EmailsListQuery());
	}

	/**
	 * List mails, newest first. With the API key of a domain, only mail of that domain.
	 * Permission: emails.read.
	 */
	public Items<EmailLogItem> list(Consumer<EmailsListQuery> query) {
		EmailsListQuery fields = new EmailsListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Show a mail and its status for each recipient. Permission: emails.read.
	 */
	public EmailDetail get(String id) {
		return EmailDetail.of(this.transport.json(new Call("emails.get", "GET", "/emails/" + Transport.encoded(id))));
	}

	/**
	 * Reschedule a scheduled mail. Permission: emails.send.
	 */
	public ScheduledEmail reschedule(String id, NewTime body) {
		return ScheduledEmail.of(this.transport
			.json(new Call("emails.reschedule", "PATCH", "/emails/" + Transport.encoded(id)).json(body)));
	}

	/**
	 * Reschedule a scheduled mail. Permission: emails.send.
	 */
	public ScheduledEmail reschedule(String id, Consumer<NewTime> fields) {
		NewTime body = new NewTime();
		fields.accept(body);
		return reschedule(id, body);
	}

	/**
	 * Cancel a scheduled mail. Its status becomes <code>failed</code> and its last event
	 * <code>cancelled</code>; the quota is returned. Permission: emails.send.
	 */
	public ScheduledEmail cancel(String id) {
		return ScheduledEmail.of(this.transport
			.json(new Call("emails.cancel", "POST", "/emails/" + Transport.encoded(id) + "/cancel").repeatable()));
	}

	/**
	 * List the events of a mail, newest first. Permission: emails.read.
	 */
	public Items<EmailEvent> events(String id, EmailsEventsQuery query) {
		return this.transport.list(
				new Call("emails.events", "GET", "/emails/" + Transport.encoded(id) + "/events").query(query), "events",
				EmailEvent::of);
	}

	/**
	 * List the events of a mail, newest first. Permission: emails.read.
	 */
	public Items<EmailEvent> events(String id) {
		return events(id, new EmailsEventsQuery());
	}

	/**
	 * List the events of a mail, newest first. Permission: emails.read.
	 */
	public Items<EmailEvent> events(String id, Consumer<EmailsEventsQuery> query) {
		EmailsEventsQuery fields = new EmailsEventsQuery();
		query.accept(fields);
		return events(id, fields);
	}

	/**
	 * List the delivery attempts of a mail with their SMTP conversations. Oldest first.
	 * The conversation contains neither the message nor credentials. Permission:
	 * emails.read.
	 */
	public List<EmailAttempt> attempts(String id) {
		return this.transport.json(new Call("emails.attempts", "GET", "/emails/" + Transport.encoded(id) + "/attempts"))
			.object("data")
			.list("attempts", EmailAttempt::of);
	}

}
