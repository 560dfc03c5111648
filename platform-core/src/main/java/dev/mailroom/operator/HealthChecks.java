package dev.mailroom.operator;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.AddressCheck.Kind;
import dev.mailroom.addresscheck.AddressChecks;
import dev.mailroom.database.Durability;
import dev.mailroom.database.SchemaVersion;
import dev.mailroom.dmarcreport.ReportDomain;
import dev.mailroom.operator.HealthCheck.Result;
import dev.mailroom.trackingdomain.InboundCertificate;
import dev.mailroom.trackingdomain.InboundCertificates;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Checks of the platform, each with its remedy. */
@Service
public class HealthChecks {

	/** Seconds after which due mail or a due call is late. */
	private static final long MAX_DUE_SECONDS = 300;

	/** Kinds of checks of addresses that belong together: the others concern names. */
	private static final Set<Kind> LISTS = EnumSet.of(Kind.LIST, Kind.DOMAIN);

	private final Platform platform;

	private final SchemaVersion version;

	private final Durability durability;

	private final AddressChecks addresses;

	private final ReportDomain reports;

	private final InboundCertificates certificates;

	HealthChecks(Platform platform, SchemaVersion version, Durability durability, AddressChecks addresses,
			ReportDomain reports, InboundCertificates certificates) {
		this.reports = reports;
		this.certificates = certificates;
		this.platform = platform;
		this.version = version;
		this.durability = durability;
		this.addresses = addresses;
	}

	/** Runs all checks. */
	public Mono<List<HealthCheck>> run(Operator operator) {
		Mono<HealthCheck> durable = this.durability.check()
			.thenReturn(HealthCheck.ok("durability", "Committed transactions survive a crash."))
			.onErrorResume((error) -> Mono.just(new HealthCheck("durability", Result.FAILED,
					"Committed transactions may be lost: " + error.getMessage(),
					"Switch fsync, full_page_writes and synchronous_commit on and restart PostgreSQL.")));
		return durable
			.flatMap((first) -> this.version.state()
				.flatMap((schema) -> this.platform.state()
					.flatMap((state) -> this.platform.queue().map((queue) -> checks(first, schema, state, queue)))))
			.flatMap((checks) -> this.addresses.all().map((found) -> with(checks, found)))
			.flatMap((checks) -> this.reports.checks()
				.map((found) -> Stream.concat(checks.stream(), found.stream().map(HealthChecks::ofReports)).toList()))
			.flatMap((checks) -> this.certificates.find()
				.map((found) -> Stream.concat(checks.stream(), Stream.of(ofCertificate(found))).toList())
				.defaultIfEmpty(checks));
	}

	private static List<HealthCheck> checks(HealthCheck durability, SchemaVersion.State schema, PlatformState state,
			List<PlatformState.QueuePart> queue) {
		long oldest = queue.stream().mapToLong(PlatformState.QueuePart::oldestSeconds).max().orElse(0);
		List<HealthCheck> checks = new ArrayList<>();
		checks.add(durability);
		checks.add(HealthCheck.of("schema", !schema.older(), Result.FAILED,
				"The schema has version " + schema.installed() + ", and this release needs " + schema.needed() + ".",
				"Run the migrations with the owner's role."));
		checks.add(HealthCheck.of("dispatcher", state.dispatcherActive(), Result.FAILED,
				state.dispatcherActive() ? "A worker leases due mail." : "No worker leases due mail.",
				"Start a worker, and look at its readiness: it needs the database and the broker."));
		checks.add(!state.pausedStreams().isEmpty()
				? new HealthCheck("queue", Result.WARNING,
						"An operator paused " + paused(state) + ". The oldest due mail has waited for " + oldest
								+ " s.",
						"Resume the queue when the cause of the pause is gone.")
				: HealthCheck.of("queue", oldest <= MAX_DUE_SECONDS, Result.FAILED,
						"The oldest due mail has waited for " + oldest + " s.",
						"Look at the workers' logs and at the broker; add workers if all sender threads are busy."));
		checks.add(HealthCheck.of("webhooks", state.oldestCallSeconds() <= MAX_DUE_SECONDS, Result.WARNING,
				"The oldest due call has waited for " + state.oldestCallSeconds() + " s.",
				"Look at the failing endpoints, and switch off those that do not answer."));
		checks.add(HealthCheck.of("dead letters", state.deadLetters() == 0, Result.WARNING,
				counted(state.deadLetters(), "dead letter was", "dead letters were") + " not requeued.",
				"Read why they failed, fix the cause, then requeue them."));
		checks.add(HealthCheck.of("accounts", state.pausedAccounts() == 0, Result.WARNING,
				counted(state.pausedAccounts(), "account is", "accounts are") + " suspended.",
				"Talk to their owners, and reinstate them once the cause is gone."));
		checks.add(HealthCheck.of("domains", state.failingDomains() == 0, Result.WARNING,
				counted(state.failingDomains(), "domain lacks", "domains lack") + " DNS records.",
				"Their owners have been sent a mail; nothing is sent for a domain after the grace period."));
		checks.add(HealthCheck.of("keys", state.oldKeys() == 0, Result.WARNING,
				counted(state.oldKeys(), "DKIM key is", "DKIM keys are") + " older than 180 days.",
				"Ask the owners to rotate the keys of their domains."));
		return checks;
	}

	/** The checks with those of sending addresses, if there are any. */
	private static List<HealthCheck> with(List<HealthCheck> checks, List<AddressCheck> found) {
		if (!found.isEmpty()) {
			checks.add(addresses("reverse dns and spf", "Names and SPF records of all sending addresses are in order.",
					found.stream().filter((check) -> !LISTS.contains(check.kind())).toList()));
			checks.add(addresses("block lists", "No sending address or domain is known to be listed.",
					found.stream().filter((check) -> LISTS.contains(check.kind())).toList()));
		}
		return checks;
	}

	/** Names that nobody answered about are no failure. */
	private static HealthCheck ofReports(ReportDomain.Check check) {
		return HealthCheck.of("reports: " + check.kind().label(), check.state() != ReportDomain.State.FAILED,
				Result.WARNING, check.finding(), check.fix());
	}

	/** The certificate of received mail, with the TLSA record of its key. */
	private static HealthCheck ofCertificate(InboundCertificate found) {
		String name = "inbound certificate";
		if (!found.valid()) {
			return new HealthCheck(name, Result.WARNING, found.detail(),
					"Give the inbound listener a certificate of a public authority for " + found.host()
							+ ": policies of tenants are hosted only then.");
		}
		String record = "_25._tcp." + found.host() + " TLSA " + found.tlsa();
		return HealthCheck.of(name, !Boolean.FALSE.equals(found.published()), Result.WARNING,
				found.detail() + ". Its record is " + record
						+ ((found.published() != null) ? found.published() ? ", as in DNS." : "; DNS has another."
								: "; DNS has none."),
				"Publish " + record + " before the key is used, beside the present one; remove others later.");
	}

	/** The worst of some checks of addresses, which are in this order. */
	private static HealthCheck addresses(String name, String fine, List<AddressCheck> found) {
		for (AddressCheck.Result result : List.of(AddressCheck.Result.FAILED, AddressCheck.Result.WARNING)) {
			List<AddressCheck> worst = found.stream().filter((check) -> check.result() == result).toList();
			if (!worst.isEmpty()) {
				AddressCheck first = worst.getFirst();
				String list = first.list().isEmpty() ? "" : " (" + first.list() + ")";
				return new HealthCheck(name, (result == AddressCheck.Result.FAILED) ? Result.FAILED : Result.WARNING,
						counted(worst.size(), "finding", "findings") + ", the first about " + first.subject() + list
								+ ": " + first.detail(),
						first.fix());
			}
		}
		return HealthCheck.ok(name, fine);
	}

	/** The paused streams in words. */
	private static String paused(PlatformState state) {
		if (state.pausedStreams().size() > 1) {
			return "the queue";
		}
		return state.pausedStreams().getFirst().campaign() ? "the mail of campaigns" : "transactional mail";
	}

	private static String counted(long number, String one, String several) {
		return number + " " + ((number == 1) ? one : several);
	}

}
