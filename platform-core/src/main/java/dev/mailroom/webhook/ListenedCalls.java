package dev.mailroom.webhook;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.secret.Stamp;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Service;

/**
 * Calls for a program that listens instead of an endpoint: the bodies and headers that an
 * endpoint would get.
 */
@Service
public class ListenedCalls {

	private static final String PURPOSE = "webhook listen";

	private static final int SECRET_BYTES = 32;

	private final Stamp stamp;

	private final JsonMapper json;

	private final Clock clock;

	ListenedCalls(Stamp stamp, JsonMapper json, Clock clock) {
		this.stamp = stamp;
		this.json = json;
		this.clock = clock;
	}

	/**
	 * The secret that signs these calls. It is derived from the account and the master
	 * key, so it is the same until the master key is replaced, and is no endpoint's.
	 */
	public String secret(Scope scope) {
		UUID account = scope.account();
		byte[] id = ByteBuffer.allocate(2 * Long.BYTES)
			.putLong(account.getMostSignificantBits())
			.putLong(account.getLeastSignificantBits())
			.array();
		return "whsec_" + Base64.getEncoder().encodeToString(this.stamp.stamp(PURPOSE, id, SECRET_BYTES));
	}

	/** The call of an event, signed now. */
	public Call of(Scope scope, Feed.Entry event) {
		UUID id = event.cursor().id();
		String body = DueCall.write(this.json, id, event.kind(), event.createdAt(), event.data());
		long timestamp = this.clock.instant().getEpochSecond();
		Map<String, String> headers = new LinkedHashMap<>();
		headers.put("webhook-id", id.toString());
		headers.put("webhook-timestamp", Long.toString(timestamp));
		headers.put("webhook-signature", CallSignature.of(List.of(secret(scope)), id.toString(), timestamp,
				body.getBytes(StandardCharsets.UTF_8)));
		return new Call(event.cursor().text(), headers, body);
	}

	/**
	 * A call of an event.
	 *
	 * @param cursor the position after the event
	 * @param body the exact text of the body, which the signature covers
	 */
	public record Call(String cursor, Map<String, String> headers, String body) {
	}

}
