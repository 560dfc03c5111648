package dev.mailroom.mail.outcome;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;

/** Attempts to hand over mails, with the SMTP dialogue of each. */
@Service
public class Attempts {

	/**
	 * Begin of the note in a dialogue that has the policy about TLS and its result, by
	 * the names of {@code mailroom_tls_policy_total}.
	 */
	public static final String TLS_POLICY = "TLS policy ";

	private final AttemptStore store;

	private final Transactions transactions;

	private final Settings settings;

	Attempts(AttemptStore store, Transactions transactions, Settings settings) {
		this.settings = settings;
		this.store = store;
		this.transactions = transactions;
	}

	/** Attempts of a mail, oldest first; none for a mail of another account. */
	public Mono<List<Made>> of(Scope scope, UUID emailId) {
		return this.transactions.in(scope, this.store.list(scope, emailId).map(this::visible).collectList());
	}

	/** An attempt as its sender may see it. */
	public Made visible(Made made) {
		return (this.settings.shown() || !made.transport().equals("relay")) ? made : made.withoutServer();
	}

	/**
	 * A recorded attempt.
	 *
	 * @param attempt counted from one, for each recipient
	 * @param outcome delivered, sent, bounced, deferred, unanswered, failed or expired
	 * @param source sending address that was chosen for the mail; null if none was
	 */
	public record Made(UUID id, String recipient, int attempt, Instant beganAt, long tookMs, String outcome,
			String transport, String host, String address, String tls, @Nullable String reply,
			List<TranscriptLine> conversation, @Nullable String source) {

		/**
		 * The policy about TLS that decided: dane or mta_sts; null for none.
		 */
		public @Nullable String tlsPolicy() {
			return policy(0);
		}

		/** The result of the policy about TLS; null if there is none. */
		public @Nullable String tlsResult() {
			return policy(1);
		}

		private @Nullable String policy(int word) {
			return this.conversation.stream()
				.filter((line) -> line.from().equals("note") && line.text().startsWith(TLS_POLICY))
				.map((line) -> line.text().substring(TLS_POLICY.length()).split(" ", 2))
				.filter((words) -> words.length == 2)
				.map((words) -> words[word])
				.reduce((_, last) -> last)
				.orElse(null);
		}

		private Made withoutServer() {
			return new Made(this.id, this.recipient, this.attempt, this.beganAt, this.tookMs, this.outcome,
					this.transport, "", "", this.tls, this.reply, List.of(), null);
		}

	}

	/**
	 * Visibility of the operator's relay.
	 *
	 * @param shown whether tenants see its host and the conversations with it
	 */
	@ConfigurationProperties("mailroom.relay")
	record Settings(@DefaultValue("false") boolean shown) {
	}

	/**
	 * A line of the SMTP dialogue of an attempt.
	 *
	 * @param atMs milliseconds since the attempt began
	 * @param from client, server, or note for a remark about the session
	 */
	public record TranscriptLine(long atMs, String from, String text) {

		private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (?:([CS]): )?(.*)");

		/** Parses the stored dialogue of an attempt. */
		public static List<TranscriptLine> read(String conversation) {
			return conversation.lines().map(LINE::matcher).filter(Matcher::matches).map(TranscriptLine::of).toList();
		}

		private static TranscriptLine of(Matcher line) {
			String from = switch (line.group(2)) {
				case "C" -> "client";
				case "S" -> "server";
				case null, default -> "note";
			};
			return new TranscriptLine(Long.parseLong(line.group(1)), from, line.group(3));
		}

	}

}
