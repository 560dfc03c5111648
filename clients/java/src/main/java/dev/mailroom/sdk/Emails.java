package dev.mailroom.sdk;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** Operations of mails. */
public final class Emails extends EmailsOperations {

	private static final Set<EmailStatus> FINAL = Set.of(EmailStatus.DELIVERED, EmailStatus.BOUNCED,
			EmailStatus.COMPLAINED, EmailStatus.FAILED);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	Emails(Transport transport) {
		super(transport);
	}

	/**
	 * Sends up to 100 mails independently of each other. The result has the order of the
	 * mails.
	 */
	public List<Outcome> sendBatch(List<Email> mails) {
		return sendBatchOnce(mails).list("data", Outcome::of);
	}

	/**
	 * Waits until the mail is delivered, bounced, complained or failed.
	 * @throws WaitTimeoutException if that takes longer
	 */
	public EmailDetail waitFor(String id, Duration limit) {
		return Waiting.until(() -> get(id), (email) -> FINAL.contains(email.status()),
				(email) -> "The mail " + id + " is still " + email.status(), limit, INTERVAL);
	}

	/** The outcome of one mail of a batch. */
	public sealed interface Outcome permits Sent, Rejected {

		private static Outcome of(JsonObject json) {
			@Nullable String id = json.textOrNull("emailId");
			if (id != null) {
				return new Sent(id);
			}
			JsonObject error = json.object("error");
			return new Rejected(error.text("name"), error.text("message"), (int) error.integer("statusCode"));
		}

	}

	/** An accepted mail. */
	public record Sent(String id) implements Outcome {
	}

	/** A refused mail, which does not affect the others. */
	public record Rejected(String name, String message, int statusCode) implements Outcome {
	}

}
