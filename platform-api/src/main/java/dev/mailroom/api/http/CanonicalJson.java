package dev.mailroom.api.http;

import dev.mailroom.secret.Sha256;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.unit.DataSize;

/**
 * Hash of a JSON body that does not depend on white space or on the order of members.
 */
public final class CanonicalJson {

	/** The limits of request bodies: a body beyond them is refused after its hash. */
	private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder()
		.maxNestingDepth(64)
		.maxStringLength((int) DataSize.ofMegabytes(25).toBytes())
		.maxTokenCount(500_000)
		.build();

	private static final JsonMapper MAPPER = JsonMapper
		.builder(JsonFactory.builder().streamReadConstraints(LIMITS).build())
		.enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
		.build();

	private CanonicalJson() {
	}

	/**
	 * SHA-256 of the body with its members sorted, in hex; of the unchanged bytes if they
	 * are not JSON.
	 */
	public static String hash(byte[] body) {
		return Sha256.hex(canonical(body));
	}

	private static byte[] canonical(byte[] body) {
		try {
			@Nullable Object value = MAPPER.readValue(body, Object.class);
			return MAPPER.writeValueAsBytes(value);
		}
		catch (JacksonException _) {
			return body;
		}
	}

}
