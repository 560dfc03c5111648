package dev.mailroom.admin.email;

import java.util.regex.Pattern;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.mail.accept.Claim;
import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/**
 * Idempotency keys of mutations that send. A key belongs to an account and a mutation,
 * apart from those of the REST API; two inputs are the same if they are equal as JSON.
 */
@Component
class RetryKeys {

	private static final Pattern VALID = Pattern.compile("[\\x20-\\x7e]{1,256}");

	private final JsonMapper json;

	RetryKeys(JsonMapper json) {
		this.json = json.rebuild().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
	}

	/**
	 * The claim of a mutation; null without a key.
	 * @throws dev.mailroom.Refused {@code Invalid request data} for an invalid key
	 */
	@Nullable Claim claim(Scope scope, String mutation, @Nullable String key, Object input) {
		if (key == null) {
			return null;
		}
		if (!VALID.matcher(key).matches()) {
			String message = "must have 1 to 256 printable characters";
			throw Refusal.INVALID_REQUEST.field("idempotencyKey", message);
		}
		return new Claim(scope.account(), "POST /graphql " + mutation, key,
				Sha256.hex(this.json.writeValueAsBytes(input)));
	}

}
