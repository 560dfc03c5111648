package dev.mailroom.worker.smtpd;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/** What is said between AUTH and the password: PLAIN (RFC 4616) or LOGIN. */
final class AuthExchange {

	private static final String PLAIN = "PLAIN";

	private static final String LOGIN = "LOGIN";

	private final String mechanism;

	private @Nullable String user;

	private @Nullable String password;

	AuthExchange(String mechanism) {
		this.mechanism = mechanism;
	}

	static boolean knows(String mechanism) {
		return mechanism.equals(PLAIN) || mechanism.equals(LOGIN);
	}

	/** What the client is asked for next. */
	String challenge() {
		if (this.mechanism.equals(PLAIN)) {
			return "334 ";
		}
		String asked = (this.user == null) ? "Username:" : "Password:";
		return "334 " + Base64.getEncoder().encodeToString(asked.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * Takes what the client says to that.
	 * @throws IllegalArgumentException where it is nothing of the kind
	 */
	void hear(String line) {
		String said = new String(Base64.getDecoder().decode(line.equals("=") ? "" : line), StandardCharsets.UTF_8);
		if (this.mechanism.equals(PLAIN)) {
			String[] parts = said.split("\0", -1);
			if (parts.length != 3) {
				throw new IllegalArgumentException("PLAIN has three parts");
			}
			this.user = parts[1];
			this.password = parts[2];
		}
		else if (this.user == null) {
			this.user = said;
		}
		else {
			this.password = said;
		}
	}

	boolean isComplete() {
		return this.password != null;
	}

	String user() {
		return (this.user != null) ? this.user : "";
	}

	String password() {
		return (this.password != null) ? this.password : "";
	}

}
