package dev.mailroom.load.installation;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;

/** The mailbox of the standalone, which shows every mail that was sent. */
public final class MailboxClient {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final Duration INTERVAL = Duration.ofMillis(200);

	private static final Pattern TOKEN = Pattern.compile("token=([^\\s&]+)");

	private final Client client;

	public MailboxClient(Target target) {
		this.client = new Client(target.mailbox(), () -> "");
	}

	/** Token of the link in an account's verification mail. */
	String token(String email) {
		Matcher token = TOKEN.matcher(mail(email).at("/text").asText());
		if (!token.find()) {
			throw new IllegalStateException("The mail to " + email + " has no token");
		}
		return token.group(1);
	}

	/** Newest mail to a recipient; waits for it. */
	public JsonNode mail(String recipient) {
		Instant deadline = Instant.now().plus(TIMEOUT);
		while (Instant.now().isBefore(deadline)) {
			JsonNode mail = this.client.get("/messages?to=" + URLEncoder.encode(recipient, StandardCharsets.UTF_8))
				.at("/messages/0");
			if (mail.isObject()) {
				return mail;
			}
			LockSupport.parkNanos(INTERVAL.toNanos());
		}
		throw new IllegalStateException("No mail to " + recipient
				+ " in the mailbox. Without the standalone's mailbox, " + "give accounts as -Dload.accounts=FILE.");
	}

}
