package dev.mailroom.database;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import com.google.common.net.HostAndPort;
import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.spi.R2dbcException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Standbys of the database that serve lists. A list there sees everything that the
 * primary had confirmed when the list began, to whichever process: the primary is asked
 * for the end of its WAL, once for all lists that wait at that time, and a standby serves
 * the list as soon as it has replayed the WAL up to there. One that has not done so
 * within {@link #LIMIT}, or fails, leaves the list to the primary. Each second all are
 * probed; those that do not follow are left out until a probe finds that they do.
 */
public final class Replicas implements SmartInitializingSingleton, AutoCloseable {

	private static final Logger log = LoggerFactory.getLogger(Replicas.class);

	/** Time that a list waits for a standby. */
	private static final Duration LIMIT = Duration.ofMillis(100);

	/** Interval at which a standby that is behind is asked again. */
	private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

	private static final Duration PROBE_INTERVAL = Duration.ofSeconds(1);

	/** Limit for a probe, which may have to open a connection. */
	private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(3);

	/** An hour: the longest lag that is measured. */
	private static final int MAX_SAMPLES = 3600;

	/** A statement that ran into its time limit would take as long on the primary. */
	private static final String TIMED_OUT = "57014";

	/** Class of codes of conflicts, also with the replay: the next list has none. */
	private static final String CONFLICT = "40";

	private final SchemaStore store;

	private final List<Replica> servers;

	private final AtomicInteger turn = new AtomicInteger();

	/** Ends of the primary's WAL, by the time before the question, oldest first. */
	private final Deque<Sample> samples = new ArrayDeque<>();

	private final LongAdder onReplicas = new LongAdder();

	private final LongAdder onPrimary = new LongAdder();

	private volatile Disposable probes = Disposables.disposed();

	/** The answer for those who ask while the primary is being asked. */
	private Sinks.@Nullable One<Long> next;

	private boolean asking;

	Replicas(DatabaseUrl url, DatabaseUrl.Login login, Pools pools, SchemaStore store) {
		this.store = store;
		this.servers = url.hosts()
			.stream()
			.map((host) -> new Replica(host,
					pools.replica(
							new DatabaseUrl(List.of(host), url.database(), url.parameters()).r2dbc(login).getFirst())))
			.toList();
	}

	/** Number of lists that a replica has served. */
	public long onReplicas() {
		return this.onReplicas.sum();
	}

	/** Number of lists that were left to the primary. */
	public long onPrimary() {
		return this.onPrimary.sum();
	}

	/**
	 * Time in seconds by which the last replica is behind, or since it was reached. The
	 * primary may be among the servers, and does not count beside another one.
	 */
	public double lag() {
		List<Replica> all = this.servers.stream().filter((server) -> !server.primary).toList();
		return (all.isEmpty() ? this.servers : all).stream().mapToDouble((server) -> server.lag).max().orElseThrow();
	}

	/**
	 * Serves a list.
	 * @param list the list on a replica, in a transaction that runs the given check first
	 * and emits its empty item
	 * @param fallback the list on the primary
	 */
	<T> Flux<T> read(Function<Flux<Optional<T>>, Flux<Optional<T>>> list, Flux<T> fallback) {
		Flux<T> primary = fallback.doOnSubscribe((_) -> this.onPrimary.increment());
		return Flux.defer(() -> {
			@Nullable Replica server = following();
			if (server == null) {
				return primary;
			}
			AtomicBoolean emitted = new AtomicBoolean();
			return confirmed()
				.flatMapMany((position) -> list.apply(replayed(position).thenMany(Flux.just(Optional.<T>empty()))))
				.contextWrite((context) -> context.put(Pools.REPLICA, server.pool))
				.timeout(Mono.delay(LIMIT), (_) -> Mono.never())
				.<T>handle((item, sink) -> item.ifPresent((row) -> {
					emitted.set(true);
					sink.next(row);
				}))
				.doOnComplete(this.onReplicas::increment)
				.onErrorResume((error) -> !emitted.get() && isOfServer(error), (error) -> {
					server.failed(error);
					return primary;
				});
		});
	}

	private @Nullable Replica following() {
		int first = this.turn.getAndIncrement();
		for (int i = 0; i < this.servers.size(); i++) {
			Replica server = this.servers.get(Math.floorMod(first + i, this.servers.size()));
			if (server.reason == null) {
				return server;
			}
		}
		return null;
	}

	/** Whether the list may succeed on another server. */
	private static boolean isOfServer(Throwable error) {
		for (@Nullable
		Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof R2dbcException || cause instanceof IOException || cause instanceof TimeoutException) {
				return !SqlState.of(error).equals(TIMED_OUT);
			}
		}
		return false;
	}

	/** Completes when the server of the context has replayed the WAL up to a position. */
	private Mono<Void> replayed(long position) {
		return Mono.defer(this.store::replayed)
			.filter((replayed) -> replayed >= position)
			.repeatWhenEmpty((times) -> times.delayElements(POLL_INTERVAL))
			.then();
	}

	/**
	 * The end of the primary's WAL at a time after the call. One question is under way at
	 * a time; the next one answers all callers that came meanwhile.
	 */
	private Mono<Long> confirmed() {
		return Mono.defer(() -> {
			Sinks.One<Long> answer;
			boolean begin;
			synchronized (this) {
				answer = (this.next != null) ? this.next : Sinks.one();
				this.next = answer;
				begin = !this.asking;
				this.asking = true;
			}
			if (begin) {
				ask();
			}
			return answer.asMono();
		});
	}

	private void ask() {
		Sinks.One<Long> answer;
		synchronized (this) {
			Sinks.@Nullable One<Long> waiting = this.next;
			if (waiting == null) {
				this.asking = false;
				return;
			}
			answer = waiting;
			this.next = null;
		}
		this.store.confirmed()
			.contextWrite((context) -> context.put(Share.class, Share.LISTS))
			.doFinally((_) -> ask())
			.subscribe(answer::tryEmitValue, answer::tryEmitError, answer::tryEmitEmpty);
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.probes = Flux.interval(Duration.ZERO, PROBE_INTERVAL)
			.onBackpressureDrop()
			.concatMap((_) -> probe(), 1)
			.subscribe();
	}

	/** Probes all servers, unless the primary does not answer: then no list is served. */
	private Mono<Void> probe() {
		return Mono.defer(() -> {
			long asked = System.nanoTime();
			return Mono.zip(confirmed(), this.store.cluster()).timeout(PROBE_TIMEOUT).flatMap((primary) -> {
				this.samples.addLast(new Sample(asked, primary.getT1()));
				if (this.samples.size() > MAX_SAMPLES) {
					this.samples.removeFirst();
				}
				return Flux.fromIterable(this.servers)
					.flatMap((server) -> probe(server, primary.getT1(), primary.getT2()))
					.then();
			});
		}).onErrorComplete();
	}

	private Mono<Void> probe(Replica server, long position, long cluster) {
		Mono<Long> replayed = Mono.defer(this.store::replayed)
			.doOnNext((end) -> server.measure(end, this.samples))
			.filter((end) -> end < 0 || end >= position)
			.repeatWhenEmpty((times) -> times.take(LIMIT.dividedBy(POLL_INTERVAL)).delayElements(POLL_INTERVAL));
		return this.store.cluster()
			.filter((found) -> found == cluster)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("it is not a standby of this database")))
			.then(replayed)
			.map((end) -> Optional.ofNullable((end < 0) ? "it follows no other server" : null))
			.defaultIfEmpty(Optional.of("it has not replayed what the primary has confirmed"))
			.timeout(PROBE_TIMEOUT)
			.onErrorResume((error) -> Mono.just(Optional.of(String.valueOf(error.getMessage()))))
			.doOnNext((reason) -> server.found(reason.orElse(null)))
			.contextWrite((context) -> context.put(Pools.REPLICA, server.pool))
			.then();
	}

	@Override
	public void close() {
		this.probes.dispose();
		this.servers.forEach((server) -> server.pool.dispose());
	}

	/**
	 * The end of the primary's WAL.
	 *
	 * @param time by {@link System#nanoTime()}, before the primary was asked
	 */
	private record Sample(long time, long position) {
	}

	/** A server with its state. */
	private static final class Replica {

		private final HostAndPort host;

		private final ConnectionPool pool;

		/** Why it serves no list; null if it does. */
		private volatile @Nullable String reason = "it was not probed yet";

		private volatile boolean primary;

		private volatile double lag;

		/** Time of the last sample that it has replayed. */
		private volatile long current = System.nanoTime();

		Replica(HostAndPort host, ConnectionPool pool) {
			this.host = host;
			this.pool = pool;
		}

		/** Takes a list that failed here as a sign that the server is gone. */
		void failed(Throwable error) {
			log.debug("A list failed on the replica {}", this.host, error);
			if (!(error instanceof TimeoutException) && !SqlState.classOf(SqlState.of(error)).equals(CONFLICT)) {
				found(String.valueOf(error.getMessage()));
			}
		}

		/** Finds the newest sample that it has replayed. */
		void measure(long end, Deque<Sample> samples) {
			this.primary = end < 0;
			samples.stream()
				.filter((sample) -> sample.position() <= end)
				.max(Comparator.comparingLong(Sample::time))
				.ifPresent((sample) -> this.current = sample.time());
		}

		void found(@Nullable String problem) {
			@Nullable String before = this.reason;
			this.reason = problem;
			this.lag = (problem == null) ? 0 : (System.nanoTime() - this.current) / 1e9;
			if (problem == null && before != null) {
				log.info("The replica {} serves lists", this.host);
			}
			else if (problem != null && before == null) {
				log.warn("The replica {} serves no lists until it follows the primary again: {}", this.host, problem);
			}
		}

	}

}
