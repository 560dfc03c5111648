package dev.mailroom.api.http;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of bodies that are compared with those of an earlier request. */
class CanonicalJsonFuzzTest {

	private static final JsonMapper JSON = JsonMapper.shared();

	@FuzzTest(maxDuration = "10m")
	void bodies(byte[] input) {
		check(input);
	}

	@Test
	void mutatedBodies() {
		Mutations.check(getClass(), "bodies", 500, CanonicalJsonFuzzTest::check);
	}

	/** Every body has a hash, and white space around it does not change that of JSON. */
	private static void check(byte[] input) {
		String hash = CanonicalJson.hash(input);
		assertThat(hash).matches("[0-9a-f]{64}");
		assertThat(CanonicalJson.hash(input.clone())).isEqualTo(hash);
		try {
			JsonNode body = JSON.readTree(input);
			if (body.isContainer()) {
				String text = new String(input, StandardCharsets.UTF_8);
				// Jackson recognizes UTF-16 and UTF-32 by their zero bytes.
				if (text.indexOf('\uFFFD') < 0 && text.indexOf('\0') < 0) {
					String spaced = " " + text + "\n";
					assertThat(CanonicalJson.hash(spaced.getBytes(StandardCharsets.UTF_8))).isEqualTo(hash);
				}
			}
		}
		catch (JacksonException _) {
			// Not JSON: the bytes themselves are compared.
		}
	}

}
