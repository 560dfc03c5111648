package dev.mailroom.api.tracking;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.api.http.AtRoot;
import dev.mailroom.contact.Subscriptions.BookMembership;
import dev.mailroom.tracking.Consents;
import dev.mailroom.tracking.Consents.Preferences;
import dev.mailroom.tracking.Tokens;
import dev.mailroom.tracking.TrackingToken;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/**
 * The page on which a person reads and changes all memberships in the books of an
 * account, and the person's name. It is reached from the unsubscribe page, with the same
 * token.
 */
@AtRoot
@RestController
class PreferencesController {

	private static final int MAX_NAME_LENGTH = 200;

	private final Tokens tokens;

	private final Consents consents;

	private final Pages pages;

	PreferencesController(Tokens tokens, Consents consents, Pages pages) {
		this.tokens = tokens;
		this.consents = consents;
		this.pages = pages;
	}

	@GetMapping("/u/{token}/preferences")
	Mono<ResponseEntity<String>> show(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((link) -> page(link, exchange, this.consents.preferences(link), "lists.text"));
	}

	@PostMapping(path = "/u/{token}/preferences", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
	Mono<ResponseEntity<String>> change(@PathVariable String token, ServerWebExchange exchange) {
		return verified(token).flatMap((link) -> page(link, exchange,
				exchange.getFormData().flatMapMany((form) -> this.consents.change(link, preferences(form))),
				"lists.saved"));
	}

	private Mono<TrackingToken.Unsubscribe> verified(String token) {
		return Mono.justOrEmpty(this.tokens.unsubscribe(token)).switchIfEmpty(Mono.error(LinkNotFound::new));
	}

	private static Preferences preferences(MultiValueMap<String, String> form) {
		boolean none = form.containsKey("none");
		return new Preferences(ids(form.get("shown")), none ? Set.of() : ids(form.get("subscribe")),
				name(form.getFirst("first_name")), name(form.getFirst("last_name")));
	}

	private static Set<UUID> ids(@Nullable Collection<String> values) {
		return Objects.requireNonNullElse(values, List.<String>of())
			.stream()
			.filter((value) -> value.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"))
			.map(UUID::fromString)
			.collect(Collectors.toSet());
	}

	private static String name(@Nullable String value) {
		String name = Objects.requireNonNullElse(value, "").replaceAll("\\p{Cntrl}+", " ").strip();
		return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
	}

	private Mono<ResponseEntity<String>> page(TrackingToken.Unsubscribe link, ServerWebExchange exchange,
			Flux<BookMembership> memberships, String text) {
		return memberships.collectList()
			.flatMap((all) -> this.pages.look(link.accountId(), exchange).map((look) -> page(look, link, all, text)));
	}

	private ResponseEntity<String> page(Pages.Look look, TrackingToken.Unsubscribe link,
			List<BookMembership> memberships, String text) {
		return memberships.stream()
			.filter((it) -> it.id().equals(link.contact()))
			.findFirst()
			.map((own) -> this.pages.page(look, HttpStatus.OK, look.text("lists.title"), look.text(text),
					form(look, own, memberships)))
			.orElseGet(() -> this.pages.missing(look));
	}

	private static String form(Pages.Look look, BookMembership own, List<BookMembership> memberships) {
		return """
				<form method="post" action="?">
				<fieldset>
				<legend>%s</legend>
				%s</fieldset>
				<label>%s <input type="text" name="first_name" maxlength="200" autocomplete="given-name" value="%s"></label>
				<label>%s <input type="text" name="last_name" maxlength="200" autocomplete="family-name" value="%s"></label>
				<p><button type="submit">%s</button>
				<button type="submit" name="none" value="true">%s</button></p>
				</form>
				"""
			.formatted(look.text("lists.legend"),
					memberships.stream().map(PreferencesController::checkbox).collect(Collectors.joining()),
					look.text("lists.first"), Pages.escaped(own.firstName()), look.text("lists.last"),
					Pages.escaped(own.lastName()), look.text("lists.button"), look.text("lists.none"));
	}

	private static String checkbox(BookMembership membership) {
		return """
				<input type="hidden" name="shown" value="%1$s">
				<label><input type="checkbox" name="subscribe" value="%1$s"%2$s>%3$s</label>
				""".formatted(membership.id(), membership.subscribed() ? " checked" : "",
				Pages.escaped(membership.book()));
	}

}
