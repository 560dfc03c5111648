package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.mailroom.Refusal;
import tools.jackson.databind.json.JsonMapper;

/**
 * Result of a request to send. It is stored with the request's Idempotency-Key in a form
 * that is independent of the protocol; each protocol renders its response from it, for
 * the first request and for a retry alike.
 *
 * @param mails one result for each mail, in the request's order
 * @param replayed whether an earlier request with the same Idempotency-Key did the work
 */
public record SendResult(List<MailResult> mails, boolean replayed) {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final int OK = 200;

	/** Result of a request that holds one mail and was not refused. */
	public Accepted single() {
		return switch (this.mails.getFirst()) {
			case Accepted accepted -> accepted;
			case Rejected(var refusal, var message) -> throw refusal.because(message);
		};
	}

	static SendResult replay(StoredResponse response) {
		return new SendResult(JSON.readValue(response.body(), Stored.class).mails(), true);
	}

	SendResult replay() {
		return new SendResult(this.mails, true);
	}

	StoredResponse stored() {
		return new StoredResponse(OK, JSON.writeValueAsString(new Stored(this.mails)));
	}

	/** Form in which a result is stored. */
	private record Stored(List<MailResult> mails) {
	}

	/**
	 * Result of one mail of a request. Stored as JSON with the request's Idempotency-Key.
	 */
	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "result")
	@JsonSubTypes({ @JsonSubTypes.Type(value = Accepted.class, name = "accepted"),
			@JsonSubTypes.Type(value = Rejected.class, name = "rejected") })
	public sealed interface MailResult {

	}

	/**
	 * Accepted: the mail's rows are committed.
	 *
	 * @param from as in the From header
	 */
	public record Accepted(UUID id, String from, List<String> to, Instant createdAt) implements MailResult {
	}

	/**
	 * Refused: nothing of the mail is stored, and it does not count against the quota.
	 */
	public record Rejected(Refusal refusal, String message) implements MailResult {
	}

}
