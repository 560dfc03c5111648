package dev.mailroom.webhook;

import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.EventKind;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The webhook endpoints of an account. */
@Service
public class WebhookEndpoints {

	/** Limits the calls that one event causes; one page of a list shows all endpoints. */
	static final int MAX_ENDPOINTS = 100;

	private static final int MAX_DESCRIPTION = 500;

	private final WebhookEndpointStore store;

	private final SigningSecret secrets;

	private final WebhookSettings settings;

	private final Transactions transactions;

	private final Audits audits;

	private final NoArgGenerator ids;

	private final Clock clock;

	WebhookEndpoints(WebhookEndpointStore store, SigningSecret secrets, WebhookSettings settings,
			Transactions transactions, Audits audits, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.secrets = secrets;
		this.settings = settings;
		this.transactions = transactions;
		this.audits = audits;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Adds an endpoint. It receives the events from now on.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Email not verified} or {@code Webhook endpoint limit reached}
	 */
	public Mono<WebhookEndpoint.Issued> create(Scope scope, WebhookEndpoint.Form form) {
		return Mono.defer(() -> {
			String url = WebhookUrl.read(form.url(), this.settings.loopback());
			WebhookEndpoint endpoint = new WebhookEndpoint(this.ids.generate(), scope.account(), url,
					kinds(form.events()), description(form.description()), this.clock.instant(),
					Boolean.TRUE.equals(svixHeaders(form.headers())));
			String secret = this.secrets.generate();
			byte[] sealed = this.secrets.seal(secret, endpoint.id(), scope.account());
			Mono<WebhookEndpoint> created = insert(scope, endpoint, sealed)
				.delayUntil((stored) -> this.audits.record(scope, Act.WEBHOOK_CREATED, stored.id(), details(stored)));
			return this.transactions.in(scope, created).map((stored) -> new WebhookEndpoint.Issued(stored, secret));
		});
	}

	/** Lists the endpoints of the account, newest first, and counts them. */
	public Mono<Page<WebhookEndpoint>> list(Scope scope, Page.Request page) {
		return this.transactions.list(scope, read(scope, page)
			.flatMap((endpoints) -> this.store.count(scope).map((total) -> Page.of(endpoints, page, total))));
	}

	/** The endpoints of a page, newest first. They are not counted. */
	public Mono<List<WebhookEndpoint>> read(Scope scope, Page.Request page) {
		return this.transactions.list(scope, this.store.list(scope, page).collectList());
	}

	/**
	 * Finds an endpoint of the account.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<WebhookEndpoint> find(Scope scope, UUID id) {
		return required(id, this.transactions.in(scope, this.store.find(scope, id)));
	}

	/**
	 * Changes the URL, the kinds of events, the headers or the activation of an endpoint.
	 * Its activation ends the series of failures for which it was switched off.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found} or
	 * {@code Invalid request data}
	 */
	public Mono<WebhookEndpoint> update(Scope scope, UUID id, WebhookEndpoint.Change change) {
		return Mono.defer(() -> {
			if (change.active() == null && change.url() == null && change.events() == null
					&& change.headers() == null) {
				throw WebhookRefusals.invalid("active", "is required: whether the endpoint is called");
			}
			@Nullable String url = (change.url() != null) ? WebhookUrl.read(change.url(), this.settings.loopback()) : null;
			@Nullable List<String> events = (change.events() != null) ? kinds(change.events()) : null;
			@Nullable Boolean svix = svixHeaders(change.headers());
			Mono<WebhookEndpoint> changed = this.store
				.updateState(scope, id, change.active(), Boolean.TRUE.equals(change.active()) || events != null)
				.then(Mono.defer(() -> this.store.update(scope, id, change.active(), url, events, svix)))
				.delayUntil((endpoint) -> this.audits.record(scope, Act.WEBHOOK_CHANGED, id, details(endpoint)));
			return required(id, this.transactions.in(scope, changed));
		});
	}

	/**
	 * Replaces the secret of an endpoint. The old one also signs for another 24 hours.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<WebhookEndpoint.Issued> rotate(Scope scope, UUID id) {
		return Mono.defer(() -> {
			String secret = this.secrets.generate();
			byte[] sealed = this.secrets.seal(secret, id, scope.account());
			Mono<WebhookEndpoint> rotated = this.store.rotate(scope, id, sealed)
				.delayUntil((endpoint) -> this.audits.record(scope, Act.WEBHOOK_SECRET_ROTATED, id,
						Map.of("url", endpoint.url())));
			return required(id, this.transactions.in(scope, rotated))
				.map((endpoint) -> new WebhookEndpoint.Issued(endpoint, secret));
		});
	}

	/** The secrets with which calls to an address are signed, of all accounts. */
	@AcrossAccounts("an address does not name its account")
	public Flux<String> secretsOf(String url) {
		return this.transactions.acrossAccounts(this.store.sealed(url))
			.flatMapIterable((endpoint) -> Stream.of(endpoint.sealedSecret(), endpoint.sealedPrevious())
				.filter(Objects::nonNull)
				.map((sealed) -> this.secrets.open(sealed, SigningSecret.context(endpoint.id(), endpoint.accountId())))
				.toList());
	}

	/**
	 * Deletes an endpoint. Its calls are removed by a job.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<String> deleted = this.store.delete(scope, id)
			.delayUntil((url) -> this.audits.record(scope, Act.WEBHOOK_DELETED, id, Map.of("url", url)));
		return required(id, this.transactions.in(scope, deleted)).then();
	}

	private Mono<WebhookEndpoint> insert(Scope scope, WebhookEndpoint endpoint, byte[] sealed) {
		return this.store.lockAccount(scope)
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(WebhookRefusals::emailNotVerified))
			.flatMap((_) -> this.store.count(scope))
			.filter((count) -> count < MAX_ENDPOINTS)
			.switchIfEmpty(Mono.error(() -> WebhookRefusals.LIMIT.because(
					"An account has at most " + MAX_ENDPOINTS + " webhook endpoints: delete one that is not needed")))
			.flatMap((_) -> this.store.insert(endpoint, sealed));
	}

	private static Map<String, Object> details(WebhookEndpoint endpoint) {
		return Map.of("url", endpoint.url(), "events", endpoint.events(), "active", endpoint.active());
	}

	private static <T> Mono<T> required(UUID id, Mono<T> result) {
		return result.switchIfEmpty(Mono.error(() -> WebhookRefusals.missing(id)));
	}

	/** The contract's names of the requested kinds, each once and in order. */
	private static List<String> kinds(@Nullable List<@Nullable String> names) {
		if (names == null || names.isEmpty()) {
			throw WebhookRefusals.invalid("events", "must name at least one kind of event");
		}
		Set<String> kinds = new LinkedHashSet<>();
		for (int i = 0; i < names.size(); i++) {
			String field = "events[" + i + "]";
			kinds.add(Optional.ofNullable(names.get(i))
				.flatMap(EventKind::of)
				.orElseThrow(() -> WebhookRefusals.invalid(field, "is not a kind of event, such as email.delivered"))
				.contractName());
		}
		return List.copyOf(kinds);
	}

	/** Whether the headers of Svix are requested; null if nothing is. */
	private static @Nullable Boolean svixHeaders(@Nullable String headers) {
		return switch (headers) {
			case null -> null;
			case "standard" -> false;
			case "svix" -> true;
			default -> throw WebhookRefusals.invalid("headers", "must be standard or svix");
		};
	}

	private static String description(@Nullable String text) {
		String description = (text != null) ? text.strip() : "";
		if (description.length() > MAX_DESCRIPTION) {
			throw WebhookRefusals.invalid("description", "must have at most " + MAX_DESCRIPTION + " characters");
		}
		if (description.chars().anyMatch(EmailAddress::breaksALine)) {
			throw WebhookRefusals.invalid("description", "must not contain control characters");
		}
		return description;
	}

}
