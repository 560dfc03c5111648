package dev.mailroom.admin.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Watch;
import dev.mailroom.admin.operator.ManagedAccountResolver.AccountReasonInput;
import dev.mailroom.operator.ManagedAccount;
import dev.mailroom.operator.ManagedAccounts;
import dev.mailroom.operator.Operator;
import dev.mailroom.secret.Stamp;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/** Begin and end of watching an account. */
@Controller
class WatchResolver {

	private static final Duration LIFETIME = Duration.ofMinutes(30);

	private final ManagedAccounts accounts;

	private final Stamp stamp;

	private final Clock clock;

	WatchResolver(ManagedAccounts accounts, Stamp stamp, Clock clock) {
		this.accounts = accounts;
		this.stamp = stamp;
		this.clock = clock;
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorWatchAccount(Operator operator, @Argument AccountReasonInput input) {
		return Payload.of("watch",
				this.accounts.watch(operator, input.account(), input.reason())
					.then(Mono.defer(() -> this.accounts.find(operator, input.account())))
					.map((account) -> issue(operator, account)));
	}

	private IssuedWatch issue(Operator operator, ManagedAccount account) {
		Instant expiresAt = this.clock.instant().plus(LIFETIME).truncatedTo(ChronoUnit.SECONDS);
		Watch watch = new Watch(operator.scope().person().account(), account.id(), expiresAt);
		return new IssuedWatch(watch.text(this.stamp), account.id(), account.email(), account.name(), expiresAt);
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorEndWatch(Operator operator, @Argument UUID account) {
		return Payload.of("done", this.accounts.endWatch(operator, account).thenReturn(true));
	}

	/** A watch with its token. */
	record IssuedWatch(String token, UUID accountId, String email, String name, Instant expiresAt) {

		/** Without the token, for logs. */
		@Override
		public String toString() {
			return "IssuedWatch";
		}

	}

}
