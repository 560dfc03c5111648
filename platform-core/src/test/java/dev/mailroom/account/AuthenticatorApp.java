package dev.mailroom.account;

import java.math.BigInteger;
import java.time.Instant;
import java.util.HexFormat;

/** An authenticator app with one secret. */
public final class AuthenticatorApp {

	private final byte[] secret;

	private AuthenticatorApp(byte[] secret) {
		this.secret = secret;
	}

	/** An app that has read a secret in base32. */
	public static AuthenticatorApp of(String base32) {
		BigInteger number = BigInteger.ZERO;
		for (int i = 0; i < base32.length(); i++) {
			number = number.shiftLeft(5)
				.add(BigInteger.valueOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(base32.charAt(i))));
		}
		byte[] bytes = new byte[Totp.SECRET_BYTES];
		for (int i = bytes.length - 1; i >= 0; i--) {
			bytes[i] = number.byteValue();
			number = number.shiftRight(8);
		}
		return new AuthenticatorApp(bytes);
	}

	/** The code that the app shows at a time. */
	public String code(Instant at) {
		return Totp.code(this.secret, at.getEpochSecond() / 30, Totp.DIGITS);
	}

	/** The secret as PostgreSQL prints it. */
	public String hex() {
		return HexFormat.of().formatHex(this.secret);
	}

}
