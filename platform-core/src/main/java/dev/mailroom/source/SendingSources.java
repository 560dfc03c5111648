package dev.mailroom.source;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The stored sending addresses, pools and choices. Workers keep a copy, which they read
 * when a change is notified; changes join the transaction of an operator.
 */
@Service
public class SendingSources {

	private final SendingSourceStore store;

	private final JdbcTransactions threads;

	private final Transactions transactions;

	private volatile @Nullable SendingPools known;

	private volatile Map<String, Set<String>> groups = Map.of();

	SendingSources(SendingSourceStore store, JdbcTransactions threads, Transactions transactions) {
		this.store = store;
		this.threads = threads;
		this.transactions = transactions;
	}

	/** The copy of this process, which is read if there is none. */
	public SendingPools known() {
		@Nullable SendingPools copy = this.known;
		return (copy != null) ? copy : read();
	}

	/** Reads the copy of this process again. */
	public SendingPools read() {
		SendingPools read = this.threads.acrossAccounts(this.store::read);
		this.groups = read.sources().isEmpty() ? Map.of() : this.threads.acrossAccounts(this.store::groups);
		this.known = read;
		return read;
	}

	/**
	 * Groups of running workers that can bind each address, as they were last read; empty
	 * while there is only the default one.
	 */
	public Map<String, Set<String>> groups() {
		return this.groups;
	}

	/**
	 * Records which addresses a worker can bind, and forgets workers that are gone.
	 * @param group the worker's group
	 */
	public void seen(UUID worker, String group, List<SendingSource.Presence> present) {
		this.threads.runAcrossAccounts((jdbc) -> this.store.seen(jdbc, worker, group, present));
	}

	/**
	 * Pauses each address that a block list of high severity has, while two other
	 * addresses of each of its pools are on none and can send; it sends again once either
	 * ends.
	 * @param enabled false to end these pauses
	 * @return the addresses that changed
	 */
	public List<SendingSource> pauseListed(boolean enabled) {
		if (!enabled && known().sources().values().stream().allMatch((source) -> source.listedOn() == null)) {
			return List.of();
		}
		return this.threads.<List<SendingSource>>acrossAccounts((jdbc) -> this.store.pauseListed(jdbc, enabled));
	}

	/**
	 * Takes one first attempt of the allowance that a warm-up permits today.
	 * @return whether the address may send it
	 */
	public boolean take(SourceWarmup warmup, String provider) {
		return this.threads.acrossAccounts((jdbc) -> {
			if (this.store.take(jdbc, warmup.source(), provider)) {
				return true;
			}
			LocalDate today = this.store.today(jdbc);
			Optional<SourceWarmup.Day> last = this.store.last(jdbc, warmup.source(), provider);
			if (last.isPresent() && !last.get().day().isBefore(today)) {
				return false;
			}
			SourceWarmup.Day next = last.map((day) -> warmup.after(day, today))
				.orElseGet(() -> warmup.first(provider, today));
			this.store.begin(jdbc, next);
			boolean taken = this.store.take(jdbc, warmup.source(), provider);
			if (next.isUnlimited()) {
				this.store.end(jdbc, warmup.source());
			}
			return taken;
		});
	}

	/** Adds to the counts of today. */
	public void count(Collection<SourceWarmup.Counted> counted) {
		this.threads.runAcrossAccounts((jdbc) -> this.store.count(jdbc, counted));
	}

	/** Counts mails that were reported as spam, in the transaction of the reports. */
	public void complained(JdbcClient jdbc, List<SourceWarmup.Complaint> complaints) {
		this.store.complained(jdbc, complaints);
	}

	/** The last sending day of each address and provider. */
	public List<SourceWarmup.Day> days() {
		return this.threads.<List<SourceWarmup.Day>>acrossAccounts(this.store::days);
	}

	/** The last sending day of each address and provider, for operators. */
	public Mono<List<SourceWarmup.Day>> storedDays() {
		return this.store.days().collectList();
	}

	/** Starts a warm-up from its first day. */
	public Mono<Void> start(SourceWarmup warmup, UUID by, Instant at) {
		return this.store.start(warmup, by, at);
	}

	/** Ends a warm-up: the address sends without its limits; false if there is none. */
	public Mono<Boolean> stop(String source) {
		return this.store.stop(source);
	}

	/** The pools of the mail of domains, by their ids; those without one are absent. */
	public Mono<Map<UUID, OfDomain>> pools(Scope scope, Collection<UUID> domains) {
		return this.transactions.list(scope, this.store.pools(scope.account(), domains).collectMap(OfDomain::id));
	}

	/** The present state, for operators. */
	public Mono<SendingPools> stored() {
		return this.store.stored();
	}

	/** Number of running workers that can bind each address. */
	public Mono<Map<String, Integer>> present() {
		return this.store.present();
	}

	/** Stores a sending address. */
	public Mono<Void> save(SendingSource source, UUID by, Instant at) {
		return this.store.save(source, by, at);
	}

	/** Removes a sending address, also from its pools; false if there is none. */
	public Mono<Boolean> removeSource(String name) {
		return this.store.removeSource(name);
	}

	/** Stores a pool with its addresses. */
	public Mono<Void> save(SendingPool pool, UUID by, Instant at) {
		return this.store.save(pool, by, at).then(this.store.saveMembers(pool));
	}

	/** Removes a pool; false if there is none. */
	public Mono<Boolean> removePool(String name) {
		return this.store.removePool(name);
	}

	/** Stores a choice. */
	public Mono<Void> choose(PoolChoice choice) {
		return this.store.choose(choice);
	}

	/** Removes a choice; false if there is none. */
	public Mono<Boolean> removeChoice(PoolChoice.Kind kind, String key, boolean campaign) {
		return this.store.removeChoice(kind, key, campaign);
	}

	/**
	 * Names of the pools of the two streams of a domain's mail; null without one.
	 */
	public record OfDomain(UUID id, @Nullable String transactional, @Nullable String campaign) {
	}

}
