package dev.mailroom.secret;

import java.security.GeneralSecurityException;

/** Seals with keys of a test's choice. */
public final class Seals {

	private Seals() {
	}

	/** A seal with the current key and earlier ones, each in base64. */
	public static Seal of(String... keys) {
		try {
			return new Seal(new SealSettings(String.join(",", keys), null));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
