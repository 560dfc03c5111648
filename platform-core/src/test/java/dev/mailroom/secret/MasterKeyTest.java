package dev.mailroom.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MasterKeyTest {

	private static final String FIRST = key(1);

	private static final String SECOND = key(2);

	@Test
	void aPreviousKeyOpensWhatItSealedAndSealsNothing() throws GeneralSecurityException {
		byte[] secret = "secret".getBytes(StandardCharsets.UTF_8);
		byte[] old = new Seal(settings(FIRST)).seal(secret, "place");
		Seal rotated = new Seal(settings(SECOND, FIRST));
		assertThat(rotated.open(old, "place")).isEqualTo(secret);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> rotated.open(old, "other place"));
		byte[] recent = rotated.seal(secret, "place");
		assertThat(new Seal(settings(SECOND)).open(recent, "place")).isEqualTo(secret);
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> new Seal(settings(SECOND)).open(old, "place"));
	}

	@Test
	void stampsOfAPreviousKeyAreValidAndNewOnesUseTheCurrent() throws GeneralSecurityException {
		byte[] value = { 1 };
		Stamp old = new Stamp(settings(FIRST));
		Stamp rotated = new Stamp(settings(SECOND, FIRST));
		assertThat(rotated.fits("purpose", value, old.stamp("purpose", value, 16))).isTrue();
		assertThat(rotated.fits("other", value, old.stamp("purpose", value, 16))).isFalse();
		assertThat(rotated.stamp("purpose", value, 16))
			.isEqualTo(new Stamp(settings(SECOND)).stamp("purpose", value, 16));
	}

	@Test
	void aSealedPartOfATextIsOpenedForItsRecipientOnly() throws GeneralSecurityException {
		SealedText texts = new SealedText(new Seal(settings(FIRST)));
		UUID account = new UUID(0, 1);
		String text = "token=" + texts.seal("a$1b", account, "Ann@b.test") + " and [sealed:nonsense]";
		assertThat(text).doesNotContain("a$1b");
		assertThat(texts.open(text, account, "ann@b.test")).isEqualTo("token=a$1b and [sealed:nonsense]");
		assertThat(texts.open(text, account, "bob@b.test")).isEqualTo(text);
		String imitated = "[sealed:x]".repeat(10) + text;
		assertThat(texts.open(imitated, account, "ann@b.test")).isEqualTo(imitated);
	}

	private static SealSettings settings(String... keys) {
		return new SealSettings(String.join(", ", keys) + "\n", null);
	}

	private static String key(int fill) {
		byte[] bytes = new byte[32];
		Arrays.fill(bytes, (byte) fill);
		return Base64.getEncoder().encodeToString(bytes);
	}

}
