package dev.mailroom.queue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Transactions;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.outcome.Outcomes;
import dev.mailroom.outcome.Settlement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.stereotype.Component;

/**
 * Passes the fence for many callers in one transaction: while as many as there may be are
 * under way, the next group gathers. A delivery that two callers ask for is the first
 * one's. A group is nobody's own work, so this is one of the few places that subscribe.
 */
@Component
class Fences {

	private static final Logger log = LoggerFactory.getLogger(Fences.class);

	private static final Outcome NOT_BEGUN = new Outcome.Unopened("Nobody waited for its turn any more", false);

	/** Deliveries that pass together at the most, unless one caller asks for more. */
	private static final int LARGEST = 256;

	private static final int AT_ONCE = 2;

	/** Longer than the database lets a statement run: one that says nothing is gone. */
	private static final Duration PATIENCE = Duration.ofSeconds(45);

	private final Transactions transactions;

	private final QueueStore store;

	private final MailStore mails;

	private final Outcomes outcomes;

	private final QueueSettings settings;

	private final ArrayDeque<Caller> waiting = new ArrayDeque<>();

	private int underWay;

	Fences(Transactions transactions, QueueStore store, MailStore mails, Outcomes outcomes, QueueSettings settings) {
		this.transactions = transactions;
		this.store = store;
		this.mails = mails;
		this.outcomes = outcomes;
		this.settings = settings;
	}

	/** What of these may go now, with what it says. */
	Mono<FenceResult> pass(List<Lease> leases) {
		return Mono.defer(() -> {
			Caller caller = new Caller(leases);
			synchronized (this.waiting) {
				this.waiting.add(caller);
			}
			goOn();
			return caller.passed.asMono().doOnCancel(caller::leave);
		});
	}

	private void goOn() {
		List<Caller> group = next();
		if (!group.isEmpty()) {
			Map<Lease, Caller> asked = new HashMap<>();
			group.forEach((caller) -> caller.leases.forEach((lease) -> asked.putIfAbsent(ticket(lease), caller)));
			Mono<FenceResult> work = Mono
				.defer(() -> this.store.fence(List.copyOf(asked.keySet()), this.settings).collectList())
				.flatMap(this::withMails);
			this.transactions.byIndex(work)
				.timeout(PATIENCE)
				.doFinally((_) -> over())
				.subscribe((passed) -> share(group, asked, passed),
						(error) -> group.forEach((caller) -> caller.passed.tryEmitError(error)));
		}
	}

	private List<Caller> next() {
		List<Caller> group = new ArrayList<>();
		synchronized (this.waiting) {
			int size = 0;
			while (this.underWay < AT_ONCE && !this.waiting.isEmpty() && size < LARGEST) {
				Caller caller = this.waiting.remove();
				size += caller.leases.size();
				group.add(caller);
			}
			this.underWay += group.isEmpty() ? 0 : 1;
		}
		return group;
	}

	private void over() {
		synchronized (this.waiting) {
			this.underWay--;
		}
		goOn();
	}

	private Mono<FenceResult> withMails(List<FencedRow> held) {
		Set<UUID> wanted = new LinkedHashSet<>();
		held.stream().filter(FencedRow::mayPass).forEach((one) -> wanted.add(one.emailId()));
		return wanted.isEmpty() ? Mono.just(new FenceResult(held, Map.of(), Map.of()))
				: this.mails.load(List.copyOf(wanted)).map((mails) -> new FenceResult(held, mails, Map.of()));
	}

	/** The lease, whichever way it goes. */
	private static Lease ticket(Lease lease) {
		return new Lease(lease.delivery(), lease.epoch());
	}

	private void share(List<Caller> group, Map<Lease, Caller> asked, FenceResult passed) {
		Map<Caller, List<FencedRow>> shares = new HashMap<>();
		for (FencedRow one : passed.held()) {
			Caller caller = asked.get(one.lease());
			if (caller != null) {
				shares.computeIfAbsent(caller, (_) -> new ArrayList<>()).add(one);
			}
		}
		group.forEach((caller) -> {
			List<FencedRow> own = shares.getOrDefault(caller, List.of());
			if (caller.left) {
				putBack(own);
			}
			else {
				caller.passed.tryEmitValue(of(own, passed.mails()));
			}
		});
	}

	/** What passed for somebody who no longer waits was not begun. */
	private void putBack(List<FencedRow> held) {
		if (!held.isEmpty()) {
			this.outcomes.settle(held.stream().map((one) -> new Settlement(one.lease(), NOT_BEGUN)).toList())
				.subscribe((_) -> {
				}, (error) -> log.warn("{} deliveries stay behind the fence until their leases run out: {}",
						held.size(), error.toString()));
		}
	}

	/** A caller's own share: what lies in the bucket is fetched by whoever sends it. */
	private static FenceResult of(List<FencedRow> own, Map<UUID, MailStore.Loaded> mails) {
		Map<UUID, MailStore.Loaded> loaded = new HashMap<>();
		for (FencedRow one : own) {
			MailStore.Loaded mail = mails.get(one.emailId());
			if (mail != null) {
				loaded.put(one.emailId(), mail);
			}
		}
		return new FenceResult(own, loaded, Map.of());
	}

	/** Who asks for what; no two are the same. */
	private static final class Caller {

		private final List<Lease> leases;

		private final Sinks.One<FenceResult> passed = Sinks.one();

		private volatile boolean left;

		Caller(List<Lease> leases) {
			this.leases = leases;
		}

		void leave() {
			this.left = true;
		}

	}

}
