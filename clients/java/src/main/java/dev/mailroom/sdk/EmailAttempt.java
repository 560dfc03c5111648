package dev.mailroom.sdk;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * An email attempt.
 *
 * @param attempt Number of the attempt, from 1, for each recipient.
 * @param outcome <code>deferred</code>: it will be retried. <code>unanswered</code>: the
 * message was transmitted but the server did not reply, so that it may have been
 * delivered; it is retried after a delay. <code>expired</code>: it was deferred and will
 * not be retried.
 * @param transport The transport of the attempt.
 * @param host Empty if none was found.
 * @param address The IP address; empty without a connection.
 * @param tls Protocol version and cipher; empty without TLS.
 * @param reply The last SMTP reply.
 */
public record EmailAttempt(String id, String recipient, long attempt, Instant beganAt, long tookMs, String outcome,
		String transport, String host, String address, String tls, @Nullable String reply,
		List<Conversation> conversation) {

	static EmailAttempt of(JsonObject json) {
		return new EmailAttempt(json.text("id"), json.text("recipient"), json.integer("attempt"), json.time("began_at"),
				json.integer("took_ms"), json.text("outcome"), json.text("transport"), json.text("host"),
				json.text("address"), json.text("tls"), json.textOrNull("reply"),
				json.list("conversation", Conversation::of));
	}

	/**
	 * An entry of <code>conversation</code>.
	 *
	 * @param atMs Milliseconds since the start of the attempt.
	 * @param from <code>note</code>: a remark about the connection, sent by neither side.
	 */
	public record Conversation(long atMs, String from, String text) {

		static Conversation of(JsonObject json) {
			return new Conversation(json.integer("at_ms"), json.text("from"), json.text("text"));
		}

	}

}
