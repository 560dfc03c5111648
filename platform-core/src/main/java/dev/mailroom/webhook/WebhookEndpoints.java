package dev.mailroom.webhook;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The webhook endpoints of an account. */
@Service
public class WebhookEndpoints {

	/**
	 * So few that a list shows all of them, and that one event stays one small fan-out.
	 */
	static final int MOST = 100;

	private static final int LONGEST_DESCRIPTION = 500;

	private final WebhookEndpointStore store;

	private final SigningSecret secrets;

	private final WebhookSettings settings;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	WebhookEndpoints(WebhookEndpointStore store, SigningSecret secrets, WebhookSettings settings,
			Transactions transactions, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.secrets = secrets;
		this.settings = settings;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Adds an endpoint; it is told of what happens from now on.
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Webhook endpoint limit reached}
	 */
	public Mono<WebhookEndpoint.Issued> create(Scope scope, WebhookEndpoint.Asked asked) {
		return Mono.defer(() -> {
			String url = WebhookUrl.read(asked.url(), this.settings.loopback());
			WebhookEndpoint endpoint = new WebhookEndpoint(this.ids.generate(), scope.account(), url,
					EventKinds.read(asked.events()), description(asked.description()), true, this.clock.instant());
			String secret = this.secrets.make();
			byte[] sealed = this.secrets.seal(secret, endpoint.id(), scope.account());
			return this.transactions.in(scope, insert(scope, endpoint, sealed))
				.map((stored) -> new WebhookEndpoint.Issued(stored, secret));
		});
	}

	/** The account's endpoints, newest first. */
	public Mono<Page<WebhookEndpoint>> list(Scope scope, Page.Request page) {
		Mono<Page<WebhookEndpoint>> found = this.store.list(scope, page)
			.collectList()
			.flatMap((endpoints) -> this.store.count(scope).map((total) -> new Page<>(endpoints, page, total)));
		return this.transactions.in(scope, found);
	}

	/** One of the account's endpoints. */
	public Mono<WebhookEndpoint> find(Scope scope, UUID id) {
		return known(id, this.transactions.in(scope, this.store.find(scope, id)));
	}

	/**
	 * Switches an endpoint, moves it, or has it told of other things.
	 * @throws dev.mailroom.Refused {@code Webhook endpoint not found} or
	 * {@code Invalid request data}
	 */
	public Mono<WebhookEndpoint> update(Scope scope, UUID id, WebhookEndpoint.Change change) {
		return Mono.defer(() -> {
			if (change.active() == null && change.url() == null && change.events() == null) {
				throw WebhookRefusals.invalid("active", "is required: whether the endpoint is called");
			}
			@Nullable String url = (change.url() != null) ? WebhookUrl.read(change.url(), this.settings.loopback()) : null;
			@Nullable List<String> events = (change.events() != null) ? EventKinds.read(change.events()) : null;
			return known(id, this.transactions.in(scope, this.store.update(scope, id, change.active(), url, events)));
		});
	}

	/** Makes a new secret; the one before signs too for 24 hours. */
	public Mono<WebhookEndpoint.Issued> rotate(Scope scope, UUID id) {
		return Mono.defer(() -> {
			String secret = this.secrets.make();
			byte[] sealed = this.secrets.seal(secret, id, scope.account());
			return known(id, this.transactions.in(scope, this.store.rotate(scope, id, sealed)))
				.map((endpoint) -> new WebhookEndpoint.Issued(endpoint, secret));
		});
	}

	/** Deletes an endpoint. What it is owed is not told any more. */
	public Mono<Void> delete(Scope scope, UUID id) {
		return known(id, this.transactions.in(scope, this.store.delete(scope, id)).filter((count) -> count > 0)).then();
	}

	private Mono<WebhookEndpoint> insert(Scope scope, WebhookEndpoint endpoint, byte[] sealed) {
		return this.store.lockAccount(scope)
			.then(Mono.defer(() -> this.store.count(scope)))
			.filter((count) -> count < MOST)
			.switchIfEmpty(Mono.error(() -> WebhookRefusals.LIMIT
				.because("An account has at most " + MOST + " webhook endpoints: delete one that is not needed")))
			.flatMap((_) -> this.store.insert(endpoint, sealed));
	}

	private static <T> Mono<T> known(UUID id, Mono<T> found) {
		return found.switchIfEmpty(Mono.error(() -> WebhookRefusals.missing(id)));
	}

	private static String description(@Nullable String text) {
		String description = (text != null) ? text.strip() : "";
		if (description.length() > LONGEST_DESCRIPTION) {
			throw WebhookRefusals.invalid("description", "must have at most " + LONGEST_DESCRIPTION + " characters");
		}
		if (description.chars().anyMatch(EmailAddress::breaksALine)) {
			throw WebhookRefusals.invalid("description", "must not contain control characters");
		}
		return description;
	}

}
