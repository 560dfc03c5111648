package dev.mailroom.secret;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StampTest {

	private static final byte[] VALUE = "value".getBytes(StandardCharsets.UTF_8);

	private final Stamp stamp = stamp("a");

	@Test
	void aStampIsValidForItsValueAndMasterKeyOnly() {
		byte[] bytes = this.stamp.stamp("purpose", VALUE, 6);
		assertThat(bytes).hasSize(6);
		assertThat(this.stamp.fits("purpose", VALUE, bytes)).isTrue();
		assertThat(stamp("a").fits("purpose", VALUE, bytes)).as("after a restart").isTrue();
		assertThat(stamp("b").fits("purpose", VALUE, bytes)).as("under another master key").isFalse();
		bytes[5] ^= 1;
		assertThat(this.stamp.fits("purpose", VALUE, bytes)).as("one bit changed").isFalse();
	}

	@Test
	void aStampIsValidForItsPurposeOnly() {
		byte[] bytes = this.stamp.stamp("purpose", VALUE, 16);
		assertThat(this.stamp.fits("other purpose", VALUE, bytes)).isFalse();
		assertThat(this.stamp.fits("purpose", VALUE, new byte[0])).as("empty stamp").isFalse();
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
