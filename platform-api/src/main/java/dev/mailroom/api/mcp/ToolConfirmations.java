package dev.mailroom.api.mcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

import dev.mailroom.Refusal;
import dev.mailroom.api.http.CanonicalJson;
import dev.mailroom.secret.Stamp;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.stereotype.Component;

/**
 * Tokens with which a tool acts. The first call does nothing and returns a token with
 * what it would do; the second call presents it. A token is of one key, tool, state and
 * set of arguments.
 */
@Component
class ToolConfirmations {

	static final McpTool.Argument ARGUMENT = McpTool.Argument
		.text("confirm", "The token that the first call returned, once a person has agreed")
		.optional();

	private static final Duration LIFETIME = Duration.ofMinutes(5);

	private static final String PURPOSE = "mcp confirmation";

	private static final int STAMP_BYTES = 32;

	private final Stamp stamp;

	private final JsonMapper json;

	private final Clock clock;

	ToolConfirmations(Stamp stamp, JsonMapper json, Clock clock) {
		this.stamp = stamp;
		this.json = json;
		this.clock = clock;
	}

	/**
	 * Does the work if the call has a valid token; otherwise returns a token.
	 * @param state of what the work changes: a token of another state is not valid
	 * @param would says what the work does
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	Mono<ObjectNode> confirmed(String tool, McpTool.Call call, String state, ObjectNode would, McpTool.Work work) {
		ObjectNode arguments = call.arguments().deepCopy();
		String token = arguments.remove(ARGUMENT.name()) != null ? call.text(ARGUMENT.name()) : "";
		byte[] subject = (call.caller().scope().apiKey() + " " + tool + " "
				+ CanonicalJson.hash(this.json.writeValueAsBytes(arguments)) + " " + state)
			.getBytes(StandardCharsets.UTF_8);
		if (!token.isEmpty()) {
			requireValid(token, subject);
			return work.of(call.with(arguments));
		}
		ObjectNode answer = this.json.createObjectNode();
		answer.put("done", false);
		answer.set("would", would);
		answer.put("confirm", token(subject));
		answer.put("expires_in", LIFETIME.toSeconds());
		return Mono.just(answer);
	}

	private String token(byte[] subject) {
		byte[] expiry = bytes(this.clock.instant().plus(LIFETIME));
		byte[] stamped = this.stamp.stamp(PURPOSE, joined(expiry, subject), STAMP_BYTES);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(joined(expiry, stamped));
	}

	private void requireValid(String token, byte[] subject) {
		byte[] bytes = decoded(token);
		byte[] expiry = Arrays.copyOf(bytes, Long.BYTES);
		boolean valid = bytes.length == Long.BYTES + STAMP_BYTES
				&& this.stamp.fits(PURPOSE, joined(expiry, subject),
						Arrays.copyOfRange(bytes, Long.BYTES, bytes.length))
				&& Instant.ofEpochSecond(ByteBuffer.wrap(expiry).getLong()).isAfter(this.clock.instant());
		if (!valid) {
			throw Refusal.INVALID_REQUEST.field(ARGUMENT.name(),
					"is expired, or is for another key, other arguments or "
							+ "another state: call the tool without it to get a new one");
		}
	}

	private static byte[] decoded(String token) {
		try {
			return Base64.getUrlDecoder().decode(token);
		}
		catch (IllegalArgumentException _) {
			return new byte[0];
		}
	}

	private static byte[] bytes(Instant time) {
		return ByteBuffer.allocate(Long.BYTES).putLong(time.getEpochSecond()).array();
	}

	private static byte[] joined(byte[] first, byte[] second) {
		return ByteBuffer.allocate(first.length + second.length).put(first).put(second).array();
	}

}
