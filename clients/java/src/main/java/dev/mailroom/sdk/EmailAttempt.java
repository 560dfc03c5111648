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
 * @param source The IP address from which the mail was sent; null if the operating system
 * chose it.
 * @param tls Protocol version and cipher; empty without TLS.
 * @param tlsPolicy Policy of the domain of the recipient about TLS that decided:
 * <code>dane</code> or <code>mta_sts</code>; null for none.
 * @param tlsResult Result of that policy, such as <code>verified</code>,
 * <code>enforced</code> or <code>refused</code>; null without one.
 * @param reply The last SMTP reply.
 */
public record EmailAttempt(String id, String recipient, long attempt, Instant beganAt, long tookMs, String outcome,
		String transport, String host, String address, @Nullable String source, String tls, @Nullable String tlsPolicy,
		@Nullable String tlsResult, @Nullable String reply, List<Conversation> conversation) {

	static EmailAttempt of(JsonObject json) {
		return new EmailAttempt(json.text("id"), json.text("recipient"), json.integer("attempt"), json.time("began_at"),
				json.integer("took_ms"), json.text("outcome"), json.text("transport"), json.text("host"),
				json.text("address"), json.textOrNull("source"), json.text("tls"), json.textOrNull("tls_policy"),
				json.textOrNull("tls_result"), json.textOrNull("reply"), json.list("conversation", Conversation::of));
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
