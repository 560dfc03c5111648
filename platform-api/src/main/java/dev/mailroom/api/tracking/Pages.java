package dev.mailroom.api.tracking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

import dev.mailroom.contact.Membership;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.util.HtmlUtils;

/** The pages that recipients see. They need no script, and nothing from elsewhere. */
@Component
class Pages {

	/**
	 * Says it outright: a form that names no action keeps the query it was loaded with.
	 */
	private static final String LEAVE = "?subscribe=false";

	private static final String STAY = "?subscribe=true";

	private final String page = read("tracking/page.html");

	private final String style = read("tracking/page.css");

	/** Its own style and no other, and a form that goes nowhere else. */
	private final String policy = "default-src 'none'; style-src '" + hash(this.style)
			+ "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

	/** A link that we never made. */
	ResponseEntity<String> nowhere() {
		return page(HttpStatus.NOT_FOUND, new Text("This link leads nowhere",
				"It is not complete, or was never one of ours. Try it again from the mail that it stands in.", "", ""));
	}

	/**
	 * What a contact is shown.
	 * @param standing where it stands; empty where it is in no book any more
	 * @param done whether it has just been set so
	 */
	ResponseEntity<String> of(Optional<Membership> standing, boolean done) {
		return page(HttpStatus.OK, standing.map((it) -> it.subscribed() ? staying(it.book(), done) : gone(it.book()))
			.orElseGet(() -> new Text("You are on no list",
					"This address is no longer on the list that the mail was sent to. There is nothing left to do.", "",
					"")));
	}

	private static Text staying(String book, boolean done) {
		return done
				? new Text("You are subscribed again", "You will go on getting mail sent to “" + book + "”.", LEAVE,
						"Unsubscribe")
				: new Text("Unsubscribe?", "You will get no more mail that is sent to the list “" + book + "”.", LEAVE,
						"Unsubscribe");
	}

	private static Text gone(String book) {
		return new Text("You are unsubscribed",
				"You get no more mail that is sent to the list “" + book + "”. Was that a mistake?", STAY,
				"Subscribe again");
	}

	private ResponseEntity<String> page(HttpStatus status, Text text) {
		String form = text.button().isEmpty() ? "" : """
				<form method="post" action="%s">
				<input type="hidden" name="List-Unsubscribe" value="One-Click">
				<button type="submit">%s</button>
				</form>
				""".formatted(text.action(), escaped(text.button()));
		return ResponseEntity.status(status)
			.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
			.cacheControl(CacheControl.noStore())
			.header("Content-Security-Policy", this.policy)
			.header("X-Robots-Tag", "noindex")
			.body(this.page.formatted(escaped(text.title()), this.style, escaped(text.says()), form));
	}

	private static String escaped(String text) {
		return HtmlUtils.htmlEscape(text, "UTF-8");
	}

	private static String read(String name) {
		try {
			return new ClassPathResource(name).getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new IllegalStateException(name + " cannot be read", ex);
		}
	}

	private static String hash(String style) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
			return "sha256-" + Base64.getEncoder().encodeToString(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

	/** What a page says, and its button; none where there is nothing to do. */
	private record Text(String title, String says, String action, String button) {
	}

}
