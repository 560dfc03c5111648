package dev.mailroom.api.tracking;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Colour;
import dev.mailroom.brand.Language;
import dev.mailroom.contact.Subscriptions.BookMembership;
import dev.mailroom.inbound.ForwardTarget;
import dev.mailroom.secret.Sha256;
import dev.mailroom.tracking.Links;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.HtmlUtils;

/**
 * HTML pages for recipients, without scripts and resources of others, with the brand of
 * the account and in the language of the reader.
 */
@Component
class Pages {

	/** Explicit, because a form without an action keeps the query of the page. */
	private static final String UNSUBSCRIBE = "?subscribe=false";

	private static final String SUBSCRIBE = "?subscribe=true";

	/** The colours behind text in page.css, in a light and in a dark page. */
	private static final Colour LIGHT = Colour.WHITE;

	private static final Colour DARK = new Colour(0x121716);

	private final Brands brands;

	private final Links links;

	private final String page = read("tracking/page.html");

	private final String style = read("tracking/page.css");

	Pages(Brands brands, Links links) {
		this.brands = brands;
		this.links = links;
	}

	/** The look of an account's pages for the reader of a request. */
	Mono<Look> look(UUID account, ServerWebExchange exchange) {
		return this.brands.find(Scope.of(account))
			.map((brand) -> new Look(brand, language(brand.languages(), exchange), (brand.logo() != null)
					? URI.create(this.links.logoUrl(account, brand.logo())).getRawPath() : null));
	}

	/** The page for an invalid link, whose account is not known. */
	ResponseEntity<String> notFound(ServerWebExchange exchange) {
		Look look = new Look(Brand.NONE, language(List.of(Language.values()), exchange), null);
		return page(look, HttpStatus.NOT_FOUND, new Text("invalid", "", "", false));
	}

	private static Language language(List<Language> offered, ServerWebExchange exchange) {
		return Language.choose(offered, exchange.getRequest().getHeaders().getFirst(HttpHeaders.ACCEPT_LANGUAGE));
	}

	/**
	 * The page for a contact.
	 * @param membership empty if the contact is no longer in a book
	 * @param changed whether the request has just set it
	 */
	ResponseEntity<String> of(Look look, String token, Optional<BookMembership> membership, boolean changed) {
		return membership
			.map((it) -> page(look, HttpStatus.OK, text(it, changed),
					"<p><a href=\"%s/preferences\">%s</a></p>\n".formatted(escaped(token), look.text("lists.link"))))
			.orElseGet(() -> missing(look));
	}

	private static Text text(BookMembership membership, boolean changed) {
		if (!membership.subscribed()) {
			return new Text("unsubscribed", membership.book(), SUBSCRIBE, true);
		}
		return changed ? new Text("resubscribed", membership.book(), UNSUBSCRIBE, true)
				: new Text("unsubscribe", membership.book(), UNSUBSCRIBE, false);
	}

	/** The page for a contact that is no longer in a book. */
	ResponseEntity<String> missing(Look look) {
		return page(look, HttpStatus.OK, new Text("missing", "", "", false));
	}

	/**
	 * The page of a confirmation link.
	 * @param membership empty if the contact is no longer in a book
	 * @param expired whether the link is too old to confirm
	 */
	ResponseEntity<String> confirmation(Look look, Optional<BookMembership> membership, boolean expired) {
		return membership.map((it) -> page(look, HttpStatus.OK, confirmation(it, expired)))
			.orElseGet(() -> missing(look));
	}

	private static Text confirmation(BookMembership membership, boolean expired) {
		if (membership.subscribed()) {
			return new Text("subscribed", membership.book(), "", false);
		}
		if (!membership.pending()) {
			return new Text("withdrawn", membership.book(), "", false);
		}
		return expired ? new Text("expired", membership.book(), "", false)
				: new Text("confirm", membership.book(), "?", false);
	}

	/**
	 * The page of a link that confirms a forward target.
	 * @param expired whether the link is too old to confirm
	 */
	ResponseEntity<String> forwarding(Look look, ForwardTarget target, boolean expired) {
		String name = target.confirmed() ? "forwarded" : expired ? "outdated" : "forward";
		return page(look, HttpStatus.OK, new Text(name, target.address(), name.equals("forward") ? "?" : "", false));
	}

	private ResponseEntity<String> page(Look look, HttpStatus status, Text text) {
		return page(look, status, text, "");
	}

	private ResponseEntity<String> page(Look look, HttpStatus status, Text text, String after) {
		String form = text.action().isEmpty() ? "" : """
				<form method="post" action="%s"%s>
				<input type="hidden" name="List-Unsubscribe" value="One-Click">
				<button type="submit">%s</button>
				</form>
				""".formatted(text.action(), text.second() ? " class=\"second\"" : "", look.text(text.button()));
		return page(look, status, look.text(text.name() + ".title"), look.text(text.name() + ".text", text.book()),
				form + after);
	}

	/**
	 * A page of this style.
	 * @param title the title, as HTML
	 * @param text the text below it, as HTML
	 * @param content HTML below the text
	 */
	ResponseEntity<String> page(Look look, HttpStatus status, String title, String text, String content) {
		Brand brand = look.brand();
		String colours = (brand.colour() != null) ? colours(brand.colour()) : "";
		String policy = "default-src 'none'; style-src " + hash(this.style)
				+ (colours.isEmpty() ? "" : " " + hash(colours)) + ((look.logo() != null) ? "; img-src 'self'" : "")
				+ "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
		String name = escaped(brand.name());
		String html = this.page.formatted(look.language().code(), name.isEmpty() ? title : title + " · " + name,
				style(this.style) + (colours.isEmpty() ? "" : style(colours)), header(look), title, text, content,
				brand.footer().isEmpty() ? "" : "<footer>" + escaped(brand.footer()) + "</footer>\n");
		return ResponseEntity.status(status)
			.contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
			.cacheControl(CacheControl.noStore())
			.varyBy(HttpHeaders.ACCEPT_LANGUAGE)
			.header("Content-Security-Policy", policy)
			.header("X-Robots-Tag", "noindex")
			.body(html);
	}

	private static String header(Look look) {
		String name = escaped(look.brand().name());
		if (look.logo() != null) {
			return "<header><img src=\"%s\" alt=\"%s\"></header>\n".formatted(escaped(look.logo()), name);
		}
		return name.isEmpty() ? "" : "<header>" + name + "</header>\n";
	}

	/** The colours of a brand; text has that colour only where it can be read. */
	private static String colours(Colour colour) {
		return ":root { --main: %s; --on-main: %s; --link: light-dark(%s, %s); }".formatted(colour, colour.text(),
				colour.isReadableOn(LIGHT) ? colour : "#13201d", colour.isReadableOn(DARK) ? colour : "#e9efed");
	}

	private static String style(String style) {
		return "<style>" + style + "</style>\n";
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
		return "'sha256-" + Base64.getEncoder().encodeToString(Sha256.of(style)) + "'";
	}

	/**
	 * The look of a page.
	 *
	 * @param logo path of the logo; null for none
	 */
	record Look(Brand brand, Language language, @Nullable String logo) {

		/** A text as HTML; the value may be any text. */
		String text(String key, String... values) {
			return escaped(this.language.text(key, (Object[]) values));
		}

	}

	/**
	 * Text of a page with a form.
	 *
	 * @param name beginning of the keys of its texts
	 * @param book name of the list, or the address to forward to
	 * @param action of the form; empty for none
	 * @param second whether the button is not what most readers look for
	 */
	private record Text(String name, String book, String action, boolean second) {

		/** The key of the button's label. */
		String button() {
			return (this.name.equals("resubscribed") ? "unsubscribe" : this.name) + ".button";
		}

	}

}
