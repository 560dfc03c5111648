package dev.mailroom.api.account;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.mailroom.Refused;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.Secret;
import dev.mailroom.domain.PlatformDomain;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Makes what the platform itself needs, at every start, where it is missing: its account
 * with its domain, and the operator's. A database that is away is waited for, and until
 * all of it stands the app is not ready.
 */
@Component("groundwork")
class PlatformBootstrap implements ReactiveHealthIndicator {

	private static final Logger log = LoggerFactory.getLogger(PlatformBootstrap.class);

	private static final Duration SOON = Duration.ofSeconds(1);

	private static final Duration LATER = Duration.ofSeconds(30);

	private final Accounts accounts;

	private final PlatformDomain domain;

	private final OperatorSettings settings;

	private final AtomicBoolean laid = new AtomicBoolean();

	private final Sinks.Empty<Void> leaving = Sinks.empty();

	PlatformBootstrap(Accounts accounts, PlatformDomain domain, OperatorSettings settings) {
		this.accounts = accounts;
		this.domain = domain;
		this.settings = settings;
	}

	/** What is not done when the app stops is done at its next start. */
	@EventListener(ContextClosedEvent.class)
	void leave() {
		this.leaving.tryEmitEmpty();
	}

	@EventListener(ApplicationReadyEvent.class)
	Mono<Void> lay() {
		return this.accounts.ensurePlatform()
			.then(Mono.defer(() -> this.domain.ensure(Account.PLATFORM)))
			.then(operator())
			.retryWhen(Retry.backoff(Long.MAX_VALUE, SOON)
				.maxBackoff(LATER)
				.filter((error) -> !(error instanceof IllegalStateException || error instanceof Refused))
				.doBeforeRetry((it) -> {
					log.warn("The database does not answer: the platform's accounts are looked at again shortly");
					log.debug("It failed so", it.failure());
				}))
			.doOnSuccess((_) -> this.laid.set(true))
			.takeUntilOther(this.leaving.asMono());
	}

	@Override
	public Mono<Health> health() {
		return Mono.fromSupplier(() -> (this.laid.get() ? Health.up() : Health.outOfService()).build());
	}

	private Mono<Void> operator() {
		Secret password = this.settings.operatorPassword();
		if (this.settings.operatorEmail().isEmpty() || password == null || password.text().isEmpty()) {
			return Mono.empty();
		}
		return this.accounts.ensureOperator(this.settings.operatorEmail(), password.text())
			.doOnNext((made) -> log.debug("The operator's account {}", made ? "was made" : "stands"))
			.then();
	}

}
