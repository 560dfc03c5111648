package dev.mailroom.api.tracking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

import dev.mailroom.contact.Subscriptions.BookMembership;
import dev.mailroom.secret.Sha256;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.util.HtmlUtils;

/** HTML pages for recipients, without scripts and external resources. */
@Component
class Pages {

	/** Explicit, because a form without an action keeps the query of the page. */
	private static final String UNSUBSCRIBE = "?subscribe=false";

	private static final String SUBSCRIBE = "?subscribe=true";

	private final String page = read("tracking/page.html");

	private final String style = read("tracking/page.css");

	/** Allows only the page's own style and a form to the same origin. */
	private final String policy = "default-src 'none'; style-src '" + hash(this.style)
			+ "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

	/** The page for an invalid link. */
	ResponseEntity<String> notFound() {
		return page(HttpStatus.NOT_FOUND, new Text("Invalid link",
				"The link is incomplete or not valid. Please open it again from the mail.", "", ""));
	}

	/**
	 * The page for a contact.
	 * @param membership empty if the contact is no longer in a book
	 * @param changed whether the request has just set it
	 */
	ResponseEntity<String> of(String token, Optional<BookMembership> membership, boolean changed) {
		return membership.map((it) -> it.subscribed() ? subscribed(it.book(), changed) : unsubscribed(it.book()))
			.map((text) -> page(HttpStatus.OK, text,
					"<p><a href=\"%s/preferences\">All lists of this sender</a></p>\n".formatted(escaped(token))))
			.orElseGet(this::missing);
	}

	/** The page for a contact that is no longer in a book. */
	ResponseEntity<String> missing() {
		return page(HttpStatus.OK, new Text("You are not subscribed",
				"This address is no longer on the list to which the mail was sent. There is nothing to do.", "", ""));
	}

	private static Text subscribed(String book, boolean changed) {
		return changed
				? new Text("You are subscribed again", "You will receive mail sent to “" + book + "”.", UNSUBSCRIBE,
						"Unsubscribe")
				: new Text("Unsubscribe?", "You will no longer receive mail sent to the list “" + book + "”.",
						UNSUBSCRIBE, "Unsubscribe");
	}

	private static Text unsubscribed(String book) {
		return new Text("You are unsubscribed",
				"You will no longer receive mail sent to the list “" + book + "”. Was that a mistake?", SUBSCRIBE,
				"Subscribe again");
	}

	/**
	 * The page of a confirmation link.
	 * @param membership empty if the contact is no longer in a book
	 * @param expired whether the link is too old to confirm
	 */
	ResponseEntity<String> confirmation(Optional<BookMembership> membership, boolean expired) {
		return membership.map((it) -> confirmation(it, expired))
			.map((text) -> page(HttpStatus.OK, text))
			.orElseGet(this::missing);
	}

	private static Text confirmation(BookMembership membership, boolean expired) {
		String list = "the list “" + membership.book() + "”";
		if (membership.subscribed()) {
			return new Text("You are subscribed", "You will receive mail sent to " + list + ".", "", "");
		}
		if (!membership.pending()) {
			return new Text("There is nothing to confirm", "The request to subscribe to " + list + " was withdrawn.",
					"", "");
		}
		return expired
				? new Text("The link has expired", "To subscribe to " + list + ", please request a new mail.", "", "")
				: new Text("Confirm your subscription?", "You will receive mail sent to " + list + ".", "?", "Confirm");
	}

	private ResponseEntity<String> page(HttpStatus status, Text text) {
		return page(status, text, "");
	}

	private ResponseEntity<String> page(HttpStatus status, Text text, String after) {
		String form = text.button().isEmpty() ? "" : """
				<form method="post" action="%s">
				<input type="hidden" name="List-Unsubscribe" value="One-Click">
				<button type="submit">%s</button>
				</form>
				""".formatted(text.action(), escaped(text.button()));
		return page(status, text.title(), text.body(), form + after);
	}

	/**
	 * A page of this style.
	 * @param content HTML below the text
	 */
	ResponseEntity<String> page(HttpStatus status, String title, String text, String content) {
		return ResponseEntity.status(status)
			.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
			.cacheControl(CacheControl.noStore())
			.header("Content-Security-Policy", this.policy)
			.header("X-Robots-Tag", "noindex")
			.body(this.page.formatted(escaped(title), this.style, escaped(text), content));
	}

	static String escaped(String text) {
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
		return "sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style));
	}

	/** Text of a page; without a button if its label is empty. */
	private record Text(String title, String body, String action, String button) {
	}

}
