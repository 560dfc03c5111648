package dev.mailroom.trackingdomain;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.NameServers;
import dev.mailroom.tlspolicy.StsPolicy.Mode;
import dev.mailroom.trackingdomain.HostedPolicyStore.Stored;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * MTA-STS policies (RFC 8461) of domains whose mail this installation receives. The name
 * of a policy is checked and gets its certificate as a tracking domain does. A policy is
 * tested first, and enforced when its owner asks for it after two weeks without failures.
 */
@Service
public class HostedPolicies {

	/** Time for which a policy is tested at least. */
	private static final Duration TESTED = Duration.ofDays(14);

	/** Age of a check of the certificate that still counts. */
	private static final Duration CHECKED = Duration.ofHours(3);

	private final HostedPolicyStore store;

	private final InboundCertificates certificates;

	private final Domains domains;

	private final NameServers dns;

	private final Transactions transactions;

	private final Audits audits;

	private final TrackingDomainSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	HostedPolicies(HostedPolicyStore store, InboundCertificates certificates, Domains domains, NameServers dns,
			Transactions transactions, Audits audits, TrackingDomainSettings settings, NoArgGenerator ids,
			Clock clock) {
		this.store = store;
		this.certificates = certificates;
		this.domains = domains;
		this.dns = dns;
		this.transactions = transactions;
		this.audits = audits;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * The policy of a domain, with its records.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<HostedPolicy> find(Scope scope, UUID id) {
		return this.domains.find(scope, id)
			.flatMap((domain) -> stored(scope, id).flatMap((stored) -> obstacle(scope, domain, stored, next(stored))
				.map((obstacle) -> view(domain, stored, obstacle.orElse(null)))));
	}

	/**
	 * Chooses the mode of a policy, and has its name checked.
	 * @param text testing or enforce
	 * @throws dev.mailroom.Refused {@code Domain not found}, {@code Invalid request data}
	 * or {@code Policy not possible}
	 */
	public Mono<HostedPolicy> choose(Scope scope, UUID id, @Nullable String text) {
		return this.domains.find(scope, id).flatMap((domain) -> {
			Mode mode = mode(text);
			return stored(scope, id)
				.flatMap((stored) -> mayChoose(stored, mode) ? Mono.just(Optional.<String>empty())
						: obstacle(scope, domain, stored, mode))
				.flatMap((obstacle) -> obstacle.isPresent()
						? Mono.error(TrackingDomainRefusals.POLICY.because(obstacle.get()))
						: save(scope, domain, mode));
		}).then(Mono.defer(() -> find(scope, id)));
	}

	/**
	 * Ends the policy of a domain. Its name serves the mode none while senders may know
	 * the former policy.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<Void> remove(Scope scope, UUID id) {
		return this.domains.find(scope, id)
			.flatMap((_) -> this.transactions.in(scope,
					this.store.remove(scope, id)
						.filter((count) -> count > 0)
						.flatMap((_) -> this.audits.record(scope, Act.HOSTED_POLICY_REMOVED, id, Map.of()))))
			.then();
	}

	private static Mode mode(@Nullable String text) {
		return switch ((text != null) ? text : "") {
			case "testing" -> Mode.TESTING;
			case "enforce" -> Mode.ENFORCE;
			default -> throw Refusal.INVALID_REQUEST.field("mode", "must be testing or enforce");
		};
	}

	/** A policy may stay as it is, or be tested again. */
	private static boolean mayChoose(Stored stored, Mode mode) {
		return stored.mode() == mode || (stored.mode() == Mode.ENFORCE && mode == Mode.TESTING);
	}

	private static Mode next(Stored stored) {
		return (stored.mode() == Mode.NONE) ? Mode.TESTING : Mode.ENFORCE;
	}

	private Mono<Stored> stored(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.find(scope, id)).defaultIfEmpty(Stored.NONE);
	}

	private Mono<UUID> save(Scope scope, Domain domain, Mode mode) {
		Instant now = this.clock.instant();
		String name = HostedPolicy.PREFIX + domain.name();
		return this.transactions.in(scope, this.store.addName(scope, this.ids.generate(), domain.id(), name, now)
			.switchIfEmpty(Mono
				.error(() -> TrackingDomainRefusals.POLICY.because(name + " is a tracking domain: delete it first")))
			.delayUntil((_) -> this.store.save(scope, domain.id(), mode, now))
			.delayUntil((_) -> this.audits.record(scope, Act.HOSTED_POLICY_CHOSEN, domain.id(),
					Map.of("mode", mode.text()))));
	}

	private HostedPolicy view(Domain domain, Stored stored, @Nullable String obstacle) {
		return new HostedPolicy(stored.mode().text(), stored.since(),
				(stored.mode() == Mode.NONE) ? List.of() : HostedPolicy.records(domain.name(), stored.mode(),
						this.settings.mxHost(), this.settings.trackingHost()),
				stored.state(), stored.error(), obstacle);
	}

	/** Why a mode cannot be chosen now; empty if it can, or if the policy has it. */
	private Mono<Optional<String>> obstacle(Scope scope, Domain domain, Stored stored, Mode mode) {
		if (stored.mode() == Mode.ENFORCE) {
			return Mono.just(Optional.empty());
		}
		if (!this.settings.isConfigured()) {
			return Mono.just(Optional.of("The operator of this platform hosts no policies"));
		}
		if (!domain.status().maySend()) {
			return Mono.just(Optional.of("The domain is not verified"));
		}
		return found(
				this.certificates.find().map(Optional::of).defaultIfEmpty(Optional.empty()).map(this::ofCertificate),
				() -> this.dns.mailHosts(domain.name()).map((hosts) -> ofMailHosts(domain, hosts)))
			.flatMap((found) -> (found.isPresent() || mode != Mode.ENFORCE) ? Mono.just(found)
					: ofTest(scope, domain, stored));
	}

	private static Mono<Optional<String>> found(Mono<Optional<String>> first,
			Supplier<Mono<Optional<String>>> otherwise) {
		return first.flatMap((found) -> found.isPresent() ? Mono.just(found) : otherwise.get());
	}

	private Optional<String> ofCertificate(Optional<InboundCertificate> checked) {
		String host = this.settings.mxHost();
		if (checked.isEmpty() || checked.get().checkedAt().isBefore(this.clock.instant().minus(CHECKED))) {
			return Optional.of("The certificate of " + host + " was not checked in the last hours; try again later");
		}
		return checked.get().valid() ? Optional.empty() : Optional.of("Senders would refuse the certificate of " + host
				+ ", which the operator has to mend: " + checked.get().detail());
	}

	private Optional<String> ofMailHosts(Domain domain, Optional<List<String>> hosts) {
		String host = this.settings.mxHost();
		if (hosts.isEmpty()) {
			return Optional.of("The name servers did not answer for " + domain.name() + "; try again later");
		}
		return hosts.get().equals(List.of(host)) ? Optional.empty()
				: Optional.of("Expected MX " + domain.name() + " to be only " + host + ", found "
						+ (hosts.get().isEmpty() ? "nothing" : String.join(", ", hosts.get())));
	}

	private Mono<Optional<String>> ofTest(Scope scope, Domain domain, Stored stored) {
		if (stored.mode() != Mode.TESTING || stored.since() == null) {
			return Mono.just(Optional.of("A policy is tested first"));
		}
		Instant end = stored.since().plus(TESTED);
		if (this.clock.instant().isBefore(end)) {
			return Mono.just(Optional.of("The policy is tested until " + end.toString().substring(0, 10)));
		}
		if (!TrackingDomain.State.ACTIVE.contractName().equals(stored.state())) {
			return Mono.just(Optional.of("The policy cannot be fetched yet: publish its records"));
		}
		return this.transactions.in(scope, this.store.failures(scope, domain.id(), TESTED))
			.map((failures) -> (failures == 0) ? Optional.empty() : Optional
				.of("Senders reported " + failures + " failed sessions under the policy in the last 14 days"));
	}

}
