package dev.mailroom.mail.accept;

import java.util.List;

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
	public MailResult.Accepted single() {
		return switch (this.mails.getFirst()) {
			case MailResult.Accepted accepted -> accepted;
			case MailResult.Rejected(var refusal, var message) -> throw refusal.because(message);
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

}
