package dev.mailroom.admin.graphql;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Limits of subscriptions: their number for each account, and their duration. */
@Component
public class Streams {

	private static final Refusal LIMITED = Refusal.limited("Rate limit exceeded");

	/** Streams of one account on one instance. */
	static final int MAX_STREAMS = 10;

	private final GraphQlLimits limits;

	private final Map<UUID, Integer> open = new ConcurrentHashMap<>();

	Streams(GraphQlLimits limits) {
		this.limits = limits;
	}

	/**
	 * Limits a stream.
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} if the account has too
	 * many
	 */
	public <T> Flux<T> limited(Scope scope, Flux<T> stream) {
		return Flux.using(() -> acquire(scope.account()), (_) -> stream.take(this.limits.streamDuration()),
				this::release);
	}

	/**
	 * Completes when a client is too slow.
	 * @param waiting whether something has waited for the client for a time
	 */
	public Mono<Void> stalled(Predicate<Duration> waiting) {
		Duration timeout = this.limits.stallTimeout();
		return Flux.interval(timeout.dividedBy(4)).filter((_) -> waiting.test(timeout)).next().then();
	}

	private UUID acquire(UUID account) {
		this.open.compute(account, (_, count) -> {
			int streams = (count != null) ? count : 0;
			if (streams >= MAX_STREAMS) {
				throw LIMITED.because("An account may have at most " + MAX_STREAMS + " streams at once");
			}
			return streams + 1;
		});
		return account;
	}

	private void release(UUID account) {
		this.open.computeIfPresent(account, (_, count) -> (count > 1) ? Integer.valueOf(count - 1) : null);
	}

}
