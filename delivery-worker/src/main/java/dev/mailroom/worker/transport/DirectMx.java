package dev.mailroom.worker.transport;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.queue.Route;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.pool.PoolAcquireTimeoutException;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Straight to the servers of the recipients' domains. Each domain has sessions, a breaker
 * and room of its own, so that none holds up another; what was not used lately is
 * forgotten.
 */
@Component
class DirectMx implements Transport, DisposableBean {

	private static final String NAME = "mx";

	private static final String NO_SESSION = "451 4.4.1 No session with a mail server of ";

	private static final int MOST_DESTINATIONS = 5_000;

	private static final int MOST_TENANTS = 50_000;

	private static final Duration REMEMBERED = Duration.ofMinutes(10);

	private static final Duration SLACK = Duration.ofSeconds(1);

	private final MxSettings settings;

	private final Clock clock;

	private final MxSessionOpener opening;

	private final RateLimiterConfig rate;

	private final Cache<String, Peer> peers = Caffeine.newBuilder()
		.maximumSize(MOST_DESTINATIONS)
		.expireAfterAccess(REMEMBERED)
		.<String, Peer>removalListener((_, peer, _) -> {
			if (peer != null) {
				peer.sessions().close();
			}
		})
		.build();

	private final Cache<Tenant, RateLimiter> rates = Caffeine.newBuilder()
		.maximumSize(MOST_TENANTS)
		.expireAfterAccess(REMEMBERED)
		.build();

	DirectMx(MxSettings settings, MailServers servers, Clock clock) {
		this.settings = settings;
		this.clock = clock;
		this.opening = new MxSessionOpener(NAME, servers, settings);
		this.rate = RateLimiterConfig.custom()
			.limitForPeriod(settings.rate())
			.limitRefreshPeriod(Duration.ofSeconds(1))
			.timeoutDuration(Duration.ZERO)
			.build();
	}

	@Override
	public String name() {
		return NAME;
	}

	/** A session in the clear is none for mail that must not go by it. */
	@Override
	public String destination(Route route) {
		return route.requiresTls() ? route.domain() + " by TLS" : route.domain();
	}

	@Override
	public int room(Route route) {
		return peer(route).destination().room();
	}

	@Override
	public boolean admits(Route route) {
		return this.rates.get(new Tenant(route.accountId(), route.domain()), (_) -> RateLimiter.of(NAME, this.rate))
			.acquirePermission();
	}

	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		return Mono.defer(() -> {
			Peer peer = peer(route);
			if (peer.destination().isLeftAlone()) {
				return Mono.error(leftAlone(route.domain(), null));
			}
			return peer.sessions()
				.with((session) -> work.apply(new Watched(session, peer.destination(), new AtomicBoolean())))
				.onErrorResume(Undeliverable.class, (error) -> work.apply(new NullMxSession(NAME, error, this.clock)));
		});
	}

	private Peer peer(Route route) {
		return this.peers.get(destination(route), (_) -> {
			Destination destination = new Destination(route.domain(), this.settings);
			return new Peer(destination,
					new SessionPool(opened(destination, route.requiresTls()), this.settings.sessions(),
							this.settings.openTimeout().plus(SLACK),
							(error) -> notOpened(error, destination.domain(), new Transcript(this.clock))));
		});
	}

	private Mono<SmtpSession> opened(Destination destination, boolean requiresTls) {
		return Mono.defer(() -> {
			Transcript transcript = new Transcript(this.clock);
			Mono<SmtpSession> session = this.opening.open(destination.domain(), requiresTls, transcript)
				.timeout(this.settings.openTimeout());
			return destination.guard(session)
				.onErrorMap((error) -> !(error instanceof Undeliverable),
						(error) -> notOpened(error, destination.domain(), transcript));
		});
	}

	private static NotOpened leftAlone(String domain, @Nullable Throwable error) {
		return new NotOpened(NO_SESSION + domain + ": they refused repeatedly and are left alone for a while", false,
				null, error);
	}

	/** What was held back on this side was no attempt. */
	private static NotOpened notOpened(Throwable error, String domain, Transcript transcript) {
		String host = NO_SESSION + domain + ": ";
		return switch (error) {
			case CallNotPermittedException _ -> leftAlone(domain, error);
			case PoolAcquireTimeoutException _ -> new NotOpened(host + "all are in use", false, null, error);
			default -> new NotOpened(host + error.getMessage(), true, transcript.attempt(NAME), error);
		};
	}

	/** Says goodbye on every session. */
	@Override
	public void destroy() {
		this.peers.asMap().values().forEach((peer) -> peer.sessions().close());
	}

	private record Peer(Destination destination, SessionPool sessions) {
	}

	private record Tenant(UUID account, String domain) {
	}

	/** A session whose answers tell how the destination is. */
	private record Watched(Session session, Destination destination, AtomicBoolean grown) implements Session {

		@Override
		public boolean isOpen() {
			return this.session.isOpen() && !this.destination.isLeftAlone();
		}

		@Override
		public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
			return this.session.hand(envelope, message).doOnError(this.destination::lost).doOnNext((handed) -> {
				this.destination.heard(handed.outcome());
				if (handed.outcome() instanceof Outcome.Delivered && this.grown.compareAndSet(false, true)) {
					this.destination.grow();
				}
			});
		}

	}

}
