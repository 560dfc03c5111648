package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.FailException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzing of signatures in received mails. The lines before a line of "%%" are the key
 * records that DNS returns for every name.
 */
class DkimFuzzTest {

	private static final String SEPARATOR = "\n%%\n";

	@FuzzTest(maxDuration = "10m")
	void signatures(byte[] input) {
		check(input);
	}

	@Test
	void mutatedSignatures() {
		Mutations.check(getClass(), "signatures", 300, DkimFuzzTest::check);
	}

	/** A mail is verified or refused; no input passes without a valid signature. */
	private static void check(byte[] input) {
		String text = new String(input, StandardCharsets.ISO_8859_1);
		int end = Math.max(0, text.indexOf(SEPARATOR));
		List<String> keys = List.of(text.substring(0, end).split("\n", -1));
		byte[] raw = text.substring((end > 0) ? end + SEPARATOR.length() : 0).getBytes(StandardCharsets.ISO_8859_1);
		try {
			DkimCheck.MailHeader header = DkimCheck.MailHeader.of(raw);
			assertThat(header.getFields()).hasSizeLessThanOrEqualTo(1000);
			@Nullable List<SignatureRecord> valid = new DkimCheck.Signatures((_, _, _) -> keys).verify(header, header.body());
			assertThat(valid == null || !valid.isEmpty()).isTrue();
			assertThat(valid == null || text.toLowerCase(Locale.ROOT).contains("dkim-signature")).isTrue();
		}
		catch (FailException | IOException _) {
			// The declared results of a mail that cannot be verified.
		}
	}

}
