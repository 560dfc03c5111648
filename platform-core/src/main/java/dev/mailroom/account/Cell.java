package dev.mailroom.account;

import java.text.ParseException;

import com.nimbusds.jwt.JWTParser;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Cell of this installation: one of several complete installations behind a proxy, which
 * finds the cell of a request by its API key or access token. Cells share nothing.
 *
 * @param name two to four lower-case letters and digits, of which the first is a letter;
 * empty for an installation without cells
 */
@ConfigurationProperties("mailroom.cell")
record Cell(@DefaultValue("") String name) {

	/** The claim of access tokens. */
	static final String CLAIM = "cell";

	/** Error for credentials of another cell (RFC 9110 section 15.5.20). */
	static final Refusal MISDIRECTED = new Refusal(Refusal.Kind.MISDIRECTED, "Misdirected");

	Cell {
		if (!name.matches("|[a-z][a-z0-9]{1,3}")) {
			throw new WrongSetting("MAILROOM_CELL", name, "two to four lower-case letters and digits, a letter first");
		}
	}

	/**
	 * Refuses a credential of another cell that is not known here. The credential is not
	 * verified: its cell says only where it is to be sent.
	 * @throws Refused {@code Misdirected}
	 */
	void check(String credential) {
		if (this.name.isEmpty()) {
			return;
		}
		@Nullable String other = credential.startsWith(ApiKeys.PREFIX) ? KeyText.parse(credential).map(KeyText::cell).orElse(null)
				: claim(credential);
		if (other != null && !other.isEmpty() && !other.equals(this.name)) {
			throw MISDIRECTED.because("The credential belongs to the cell " + other + ", and this is the cell "
					+ this.name + ": correct the rule of the proxy");
		}
	}

	/** Whether an error names another cell. */
	static boolean isMisdirected(Throwable error) {
		return error instanceof Refused refused && refused.refusal().equals(MISDIRECTED);
	}

	private static @Nullable String claim(String token) {
		try {
			@Nullable String cell = JWTParser.parse(token).getJWTClaimsSet().getStringClaim(CLAIM);
			return (cell != null && cell.matches("[a-z][a-z0-9]{1,3}")) ? cell : null;
		}
		catch (ParseException | IllegalArgumentException _) {
			return null;
		}
	}

}
