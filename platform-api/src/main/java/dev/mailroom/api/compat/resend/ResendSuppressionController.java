package dev.mailroom.api.compat.resend;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.api.http.Idempotent;
import dev.mailroom.api.http.Ids;
import dev.mailroom.mail.outcome.Suppression;
import dev.mailroom.mail.outcome.Suppressions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Manages the suppression list for clients of Resend. */
@ResendRoutes
@RequestMapping("/compat/resend/suppressions")
class ResendSuppressionController {

	private static final Refusal NOT_FOUND = Refusal.notFound("Suppression not found");

	private static final int MAX_ENTRIES = 100;

	private final Suppressions suppressions;

	private final Idempotent idempotent;

	ResendSuppressionController(Suppressions suppressions, Idempotent idempotent) {
		this.suppressions = suppressions;
		this.idempotent = idempotent;
	}

	@PostMapping
	Mono<ResponseEntity<Object>> enter(Scope scope, @Nullable IdempotencyKey key, @RequestBody Address body) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				this.suppressions.enter(scope, new Suppression.Form(body.email(), null)).map(Entered::of));
	}

	@PostMapping("/batch/add")
	Mono<ResponseEntity<Object>> enterAll(Scope scope, @Nullable IdempotencyKey key, @RequestBody Addresses body) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				Mono.defer(() -> this.suppressions.enterEach(scope, body.forms()))
					.map((entered) -> new Batch<>(entered.stream().map(Entered::of).toList())));
	}

	@PostMapping("/batch/remove")
	Mono<ResponseEntity<Object>> liftAll(Scope scope, @Nullable IdempotencyKey key, @RequestBody Addresses body) {
		return this.idempotent.answer(scope, key, HttpStatus.OK,
				Mono.defer(() -> this.suppressions.liftAll(scope, body.named()))
					.map((lifted) -> new Batch<>(lifted.stream().map(Lifted::of).toList())));
	}

	@GetMapping
	Mono<ResendList> list(Scope scope, @RequestParam Map<String, String> query) {
		return ResendList.read(query, (id) -> entry(scope, id.toString()),
				(page) -> this.suppressions.list(scope, null, reasons(query.get("origin")), page), Item::of);
	}

	@GetMapping("/{name}")
	Mono<Item> find(Scope scope, @PathVariable String name) {
		return entry(scope, name).map(Item::of);
	}

	@DeleteMapping("/{name}")
	Mono<Lifted> lift(Scope scope, @PathVariable String name) {
		return required(name, this.suppressions.liftAll(scope, named(name))).map(Lifted::of);
	}

	private Mono<Suppression> entry(Scope scope, String name) {
		return required(name, this.suppressions.findAll(scope, named(name)));
	}

	private static Mono<Suppression> required(String name, Mono<List<Suppression>> found) {
		return found.flatMap((entries) -> Mono.justOrEmpty(entries.stream().findFirst()))
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no suppression " + name)));
	}

	/** The entry with an id or an address. */
	private static Suppression.Named named(String name) {
		return Ids.read(name)
			.map((id) -> new Suppression.Named(List.of(id), List.of()))
			.orElseGet(() -> new Suppression.Named(List.of(), List.of(key(name))));
	}

	/** The address as it is stored. */
	private static String key(String address) {
		return EmailAddress.parse(address.strip()).map(EmailAddress::key).orElseGet(() -> EmailAddress.key(address));
	}

	private static Set<Suppression.Reason> reasons(@Nullable String origin) {
		if (origin == null) {
			return EnumSet.allOf(Suppression.Reason.class);
		}
		Set<Suppression.Reason> reasons = EnumSet.allOf(Suppression.Reason.class);
		reasons.removeIf((reason) -> !originOf(reason).equals(origin));
		if (reasons.isEmpty()) {
			throw ResendList.invalid("origin", "must be bounce, complaint or manual");
		}
		return reasons;
	}

	private static String originOf(Suppression.Reason reason) {
		return switch (reason) {
			case HARD_BOUNCE -> "bounce";
			case COMPLAINT -> "complaint";
			case UNSUBSCRIBE, MANUAL -> "manual";
		};
	}

	/** The body of POST /suppressions. */
	record Address(@Nullable String email) {
	}

	/** The body of POST /suppressions/batch/add and /suppressions/batch/remove. */
	record Addresses(@Nullable List<@Nullable String> emails, @Nullable List<@Nullable String> ids) {

		List<Suppression.@Nullable Form> forms() {
			return list("emails", this.emails).<Suppression
				.@Nullable Form>map((email) -> new Suppression.Form(email, null))
				.toList();
		}

		Suppression.Named named() {
			if ((this.emails == null) == (this.ids == null)) {
				throw ResendList.invalid("emails", "or else ids must be given");
			}
			return (this.ids != null)
					? new Suppression.Named(list("ids", this.ids).flatMap((id) -> Ids.read(id).stream()).toList(),
							List.of())
					: new Suppression.Named(List.of(),
							list("emails", this.emails).filter(Objects::nonNull)
								.map(ResendSuppressionController::key)
								.toList());
		}

		private static Stream<@Nullable String> list(String field, @Nullable List<@Nullable String> values) {
			if (values == null || values.isEmpty() || values.size() > MAX_ENTRIES) {
				throw ResendList.invalid(field, "must be a list of 1 to " + MAX_ENTRIES);
			}
			return values.stream();
		}

	}

	/** The response to the addition of an address. */
	record Entered(String object, UUID id) {

		static Entered of(Suppression.Entered entered) {
			return new Entered("suppression", entered.suppression().id());
		}

	}

	/** The response to the removal of an entry. */
	record Lifted(String object, UUID id, boolean deleted) {

		static Lifted of(Suppression suppression) {
			return new Lifted("suppression", suppression.id(), true);
		}

	}

	/** The response to a change of several entries. */
	record Batch<T>(List<T> data) {
	}

	/** An entry. */
	record Item(String object, UUID id, String email, String origin, @Nullable UUID sourceId, Instant createdAt) {

		static Item of(Suppression suppression) {
			return new Item("suppression", suppression.id(), suppression.address(), originOf(suppression.reason()),
					null, suppression.createdAt());
		}

	}

}
