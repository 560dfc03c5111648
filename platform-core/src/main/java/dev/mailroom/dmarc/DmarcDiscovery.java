package dev.mailroom.dmarc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Discovery of policies and organizational domains by walking up the tree of DNS (RFC
 * 9989 section 4.10).
 */
@Component
public class DmarcDiscovery {

	/** Labels of the second name of a walk at most, and of its longest continuation. */
	private static final int MAX_LABELS = 7;

	private final Lookups lookups;

	DmarcDiscovery(Lookups lookups) {
		this.lookups = lookups;
	}

	/**
	 * Finds the policy of an author's domain. Makes at most eight queries, and another
	 * one if the policy depends on whether the domain exists. Ends with an
	 * {@link java.io.UncheckedIOException} if the name servers do not answer.
	 * @param domain name in ASCII and lower case
	 */
	public Mono<Policy> discover(String domain) {
		return walk(domain).flatMap((steps) -> policy(domain, steps));
	}

	/** The organizational domain of a name. Ends as {@link #discover} does. */
	public Mono<String> organization(String domain) {
		return walk(domain).map((steps) -> organization(domain, steps));
	}

	private Mono<Policy> policy(String domain, List<Step> steps) {
		String organization = organization(domain, steps);
		Optional<Step> step = at(steps, domain).or(() -> at(steps, organization))
			.or(() -> steps.stream().filter(Step::isPublicSuffix).findFirst());
		if (step.isEmpty()) {
			return Mono.just(new Policy(domain, organization, null, null, true));
		}
		Policy policy = new Policy(domain, organization, step.get().name, step.get().record, true);
		boolean depends = !policy.isOwn() && step.get().record.namesMissingSubdomains();
		return depends
				? this.lookups.exists(domain)
					.map((exists) -> new Policy(domain, organization, policy.at, policy.record, exists))
				: Mono.just(policy);
	}

	private static Optional<Step> at(List<Step> steps, String name) {
		return steps.stream().filter((step) -> step.name.equals(name)).findFirst();
	}

	private static String organization(String domain, List<Step> steps) {
		if (steps.isEmpty()) {
			return domain;
		}
		Step last = steps.getLast();
		if (last.isPublicSuffix() && !last.name.equals(domain)) {
			List<String> labels = List.of(domain.split("\\.", -1));
			int above = last.name.split("\\.", -1).length;
			return String.join(".", labels.subList(labels.size() - above - 1, labels.size()));
		}
		return last.name;
	}

	/** The names that have one record, from the longest to the one that ends the walk. */
	private Mono<List<Step>> walk(String domain) {
		return Flux.fromIterable(names(domain))
			.concatMap(this::step, 0)
			.takeUntil((step) -> step.isPresent() && step.get().record.endsWalk())
			.flatMapIterable((step) -> step.stream().toList())
			.collectList();
	}

	/** Several records count as none. */
	private Mono<Optional<Step>> step(String name) {
		return this.lookups.texts("_dmarc." + name).map((texts) -> {
			List<DmarcRecord> records = texts.stream().map(DmarcRecord::parse).flatMap(Optional::stream).toList();
			return (records.size() == 1) ? Optional.of(new Step(name, records.getFirst())) : Optional.empty();
		});
	}

	private static List<String> names(String domain) {
		List<String> labels = List.of(domain.split("\\.", -1));
		List<String> names = new ArrayList<>();
		names.add(domain);
		for (int left = Math.min(labels.size() - 1, MAX_LABELS); left > 0; left--) {
			names.add(String.join(".", labels.subList(labels.size() - left, labels.size())));
		}
		return names;
	}

	/** A name of a walk and its record. */
	private record Step(String name, DmarcRecord record) {

		boolean isPublicSuffix() {
			return this.record.isPublicSuffix();
		}

	}

	/**
	 * The policy that applies to an author's domain.
	 *
	 * @param organization its organizational domain
	 * @param at the name whose record applies; null if there is none
	 * @param record the record; it may state no policy
	 * @param exists whether the domain exists, as far as this matters
	 */
	public record Policy(String domain, String organization, @Nullable String at, @Nullable DmarcRecord record,
			boolean exists) {

		/** The record, if it states a policy. */
		public Optional<DmarcRecord> stated() {
			return Optional.ofNullable(this.record).filter(DmarcRecord::isPolicy);
		}

		/** Whether the domain has a record of its own. */
		public boolean isOwn() {
			return this.domain.equals(this.at);
		}

		/** The action that receivers are asked for; empty without a policy. */
		public Optional<DmarcRecord.Action> action() {
			return stated().map((policy) -> isOwn() ? policy.own()
					: this.exists ? policy.ofSubdomains() : policy.ofMissingSubdomains());
		}

	}

}
