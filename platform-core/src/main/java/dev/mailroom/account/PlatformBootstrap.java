package dev.mailroom.account;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.mailroom.Refused;
import dev.mailroom.domain.PlatformDomain;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.retry.Retry;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/**
 * Creates the platform's account with its domain, and the operator's account, if they are
 * missing. Runs at each start of the apps that import it, and waits for the database.
 */
@EnableConfigurationProperties(PlatformBootstrap.Settings.class)
public class PlatformBootstrap {

	private static final Logger log = LoggerFactory.getLogger(PlatformBootstrap.class);

	private static final Duration MIN_BACKOFF = Duration.ofSeconds(1);

	private static final Duration MAX_BACKOFF = Duration.ofSeconds(30);

	private final Accounts accounts;

	private final PlatformDomain domain;

	private final Settings settings;

	private final AtomicBoolean complete = new AtomicBoolean();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	PlatformBootstrap(Accounts accounts, PlatformDomain domain, Settings settings) {
		this.accounts = accounts;
		this.domain = domain;
		this.settings = settings;
	}

	/** Whether all accounts exist. */
	public boolean isComplete() {
		return this.complete.get();
	}

	/** Ends an unfinished run; the next start repeats it. */
	@EventListener(ContextClosedEvent.class)
	void cancel() {
		this.closed.tryEmitEmpty();
	}

	@EventListener(ApplicationReadyEvent.class)
	Mono<Void> run() {
		return this.accounts.ensurePlatform()
			.then(Mono.defer(() -> this.domain.ensure(Account.PLATFORM)))
			.then(ensureOperator())
			.retryWhen(Retry.backoff(Long.MAX_VALUE, MIN_BACKOFF)
				.maxBackoff(MAX_BACKOFF)
				.filter((error) -> !(error instanceof IllegalStateException || error instanceof Refused))
				.doBeforeRetry((retry) -> {
					log.warn("The platform's accounts could not be created: the database is unavailable. Retrying");
					log.debug("Failure of the last attempt", retry.failure());
				}))
			.doOnSuccess((_) -> this.complete.set(true))
			.takeUntilOther(this.closed.asMono());
	}

	private Mono<Void> ensureOperator() {
		@Nullable Secret password = this.settings.operatorPassword();
		if (this.settings.operatorEmail().isEmpty() || password == null || password.text().isEmpty()) {
			return Mono.empty();
		}
		return this.accounts.ensureOperator(this.settings.operatorEmail(), password.text())
			.doOnNext((created) -> log.debug("The operator's account {}", created ? "was created" : "exists"))
			.then();
	}

	/**
	 * Credentials of the operator.
	 *
	 * @param operatorEmail the address of the operator's account; empty if there is none
	 * @param operatorPassword its first password
	 */
	@ConfigurationProperties("mailroom.account")
	record Settings(@DefaultValue("") String operatorEmail, @Nullable Secret operatorPassword) {

		/** Fails the start if the credentials are not valid for an account. */
		Settings {
			if (!operatorEmail.isEmpty() && operatorPassword != null && !operatorPassword.text().isEmpty()) {
				Applicant.of(operatorEmail, operatorPassword, null);
			}
		}

	}

}
