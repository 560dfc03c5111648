package dev.mailroom.seal;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StampTest {

	private static final byte[] LETTER = "to be carried".getBytes(StandardCharsets.UTF_8);

	private final Stamp stamp = stamp("a");

	@Test
	void knowsItsOwnStampAndNoOther() {
		byte[] made = this.stamp.stamp("letter", LETTER, 6);
		assertThat(made).hasSize(6);
		assertThat(this.stamp.fits("letter", LETTER, made)).isTrue();
		assertThat(stamp("a").fits("letter", LETTER, made)).as("after a restart").isTrue();
		assertThat(stamp("b").fits("letter", LETTER, made)).as("under another master key").isFalse();
		made[5] ^= 1;
		assertThat(this.stamp.fits("letter", LETTER, made)).as("one bit changed").isFalse();
	}

	@Test
	void aStampForOnePurposeFitsNoOther() {
		byte[] made = this.stamp.stamp("letter", LETTER, 16);
		assertThat(this.stamp.fits("parcel", LETTER, made)).isFalse();
		assertThat(this.stamp.fits("letter", LETTER, new byte[0])).as("no stamp at all").isFalse();
	}

	private static Stamp stamp(String key) {
		byte[] bytes = key.repeat(32).getBytes(StandardCharsets.UTF_8);
		try {
			return new Stamp(new SealSettings(Base64.getEncoder().encodeToString(bytes), null));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
