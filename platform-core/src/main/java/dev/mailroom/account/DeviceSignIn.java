package dev.mailroom.account;

import java.time.Instant;
import java.util.List;

/**
 * A program that asks for an API key, as the person sees it who answers.
 *
 * @param program the name that the program gives itself
 * @param device program and system according to its User-Agent; empty if unknown
 * @param address its network address; empty if unknown
 * @param requested the permissions that it asks for; empty if it names none
 */
public record DeviceSignIn(String program, String device, String address, List<String> requested, Instant createdAt,
		Instant expiresAt) {

	/**
	 * The codes of a new sign-in, which are not stored.
	 *
	 * @param device the code with which the program polls
	 * @param user the code that the person compares, such as {@code BXQR-TKLM}
	 */
	public record Codes(Secret device, String user) {
	}

}
