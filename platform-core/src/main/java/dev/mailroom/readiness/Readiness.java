package dev.mailroom.readiness;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Scope;
import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.AddressChecks;
import dev.mailroom.dmarc.DmarcDiscovery;
import dev.mailroom.dmarc.DmarcDiscovery.Policy;
import dev.mailroom.dmarc.DmarcRecord;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.domain.DnsRecord;
import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domain.Status;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.outcome.ProviderFigures;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.readiness.ReadinessCheck.Result;
import dev.mailroom.readiness.ReadinessCheck.Rule;
import dev.mailroom.trackingdomain.TrackingDomain;
import dev.mailroom.trackingdomain.TrackingDomains;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Compares a domain with the rules of Gmail, Yahoo and Microsoft for bulk senders. It
 * looks up the policy of DMARC; everything else is known from earlier checks. The list
 * changes nothing: mail is sent whatever it says.
 */
@Service
public class Readiness {

	private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(3);

	private static final int DAYS = 7;

	/** Complaints in percent: advised, and the limit from which mail is refused. */
	private static final double ADVISED_COMPLAINTS = 0.1;

	private static final double MAX_COMPLAINTS = 0.3;

	private static final String NEW_KEYS = "Rotate the DKIM keys of the domain, and publish the new records.";

	private static final int MIN_KEY_BITS = 1024;

	private static final int ADVISED_KEY_BITS = 2048;

	private static final Set<AddressCheck.Kind> NAMES = EnumSet.of(AddressCheck.Kind.PTR, AddressCheck.Kind.FORWARD,
			AddressCheck.Kind.HELO);

	private final Domains domains;

	private final DmarcDiscovery discovery;

	private final DmarcReports reports;

	private final AddressChecks addresses;

	private final Reputations reputations;

	private final TrackingDomains tracking;

	private final BimiChecks logos;

	private final Clock clock;

	Readiness(Domains domains, DmarcDiscovery discovery, DmarcReports reports, AddressChecks addresses,
			Reputations reputations, TrackingDomains tracking, BimiChecks logos, Clock clock) {
		this.domains = domains;
		this.discovery = discovery;
		this.reports = reports;
		this.addresses = addresses;
		this.reputations = reputations;
		this.tracking = tracking;
		this.logos = logos;
		this.clock = clock;
	}

	/**
	 * Checks a domain.
	 * @throws dev.mailroom.Refused {@code Domain not found}
	 */
	public Mono<List<ReadinessCheck>> of(Scope scope, UUID id) {
		LocalDate from = LocalDate.ofInstant(this.clock.instant(), ZoneOffset.UTC).minusDays(DAYS - 1L);
		Reputations.Period week = new Reputations.Period(id, from, null);
		return this.domains.find(scope, id)
			.flatMap(
					(domain) -> policy(
							domain)
						.flatMap(
								(policy) -> this.reputations.figures(scope, week)
									.flatMap(
											(figures) -> this.reputations.providers(scope, week)
												.flatMap(
														(providers) -> this.addresses.all()
															.flatMap((found) -> this.tracking.list(scope)
																.flatMap((names) -> this.logos.find(scope, id)
																	.map((logo) -> checks(domain, policy, figures,
																			providers, found, ofDomain(names, id),
																			logo))))))));
	}

	/** The policy; empty if name servers do not answer, or do not know the name. */
	private Mono<Optional<Policy>> policy(Domain domain) {
		return this.domains.isOutsideDns(domain) ? Mono.just(Optional.empty())
				: this.discovery.discover(domain.name())
					.timeout(LOOKUP_TIMEOUT)
					.map(Optional::of)
					.onErrorReturn(Optional.empty());
	}

	private List<ReadinessCheck> checks(Domain domain, Optional<Policy> policy, Reputations.Figures figures,
			List<ProviderFigures> providers, List<AddressCheck> found, List<TrackingDomain> names,
			ReadinessCheck logo) {
		return List.of(spf(domain, policy), dkim(domain), dkimKey(domain),
				policy.map(Readiness::dmarc).orElseGet(() -> unanswered(Rule.DMARC)),
				policy.map((known) -> reports(domain, known)).orElseGet(() -> unanswered(Rule.DMARC_REPORTS)),
				oneClick(names), trackingDomain(names), complaints(figures), reverseDns(found), tls(domain, providers),
				ReadinessCheck.pass(Rule.FROM, "Mails with several addresses in From are not accepted."), logo);
	}

	private static ReadinessCheck unanswered(Rule rule) {
		return ReadinessCheck.unknown(rule, "The name servers did not answer, or do not know this name.");
	}

	private static ReadinessCheck spf(Domain domain, Optional<Policy> policy) {
		DnsRecord record = records(domain, Purpose.SPF).findFirst().orElseThrow();
		if (record.status() == Status.VERIFIED
				&& policy.flatMap(Policy::stated).filter(DmarcRecord::isStrictSpf).isPresent()) {
			return new ReadinessCheck(Rule.SPF, Result.WARN,
					"SPF passes for " + record.host() + ", but the policy demands the exact domain (aspf=s).",
					"Remove aspf=s from the DMARC record. Until then only DKIM authenticates the mails.");
		}
		return recorded(Rule.SPF, record,
				"SPF passes for the return path, which is aligned with " + domain.name() + ".");
	}

	private static ReadinessCheck dkim(Domain domain) {
		return rsa(domain).filter((record) -> record.status() == Status.VERIFIED)
			.findFirst()
			.or(() -> rsa(domain).findFirst())
			.map((record) -> recorded(Rule.DKIM, record, "Mails are signed for " + domain.name() + "."))
			.orElseGet(() -> new ReadinessCheck(Rule.DKIM, Result.FAIL, "The domain has no RSA key.", NEW_KEYS));
	}

	private static ReadinessCheck recorded(Rule rule, DnsRecord record, String fine) {
		return switch (record.status()) {
			case VERIFIED -> ReadinessCheck.pass(rule, fine);
			case FAILED -> new ReadinessCheck(rule, Result.FAIL,
					"DNS does not have the " + record.type() + " record of " + record.host() + ".",
					"Publish " + record.type() + " " + record.host()
							+ " with the value on the page of the domain, then " + "verify the domain.");
			case PENDING -> ReadinessCheck.unknown(rule, "The records were not looked up yet: verify the domain.");
			case TEMPORARY_FAILURE -> unanswered(rule);
		};
	}

	private static ReadinessCheck dkimKey(Domain domain) {
		int bits = rsa(domain).mapToInt(Readiness::bits).max().orElse(0);
		String found = "The RSA key of signatures has " + bits + " bits.";
		if (bits >= ADVISED_KEY_BITS) {
			return ReadinessCheck.pass(Rule.DKIM_KEY, found);
		}
		return new ReadinessCheck(Rule.DKIM_KEY, (bits >= MIN_KEY_BITS) ? Result.WARN : Result.FAIL, found, NEW_KEYS);
	}

	private static int bits(DnsRecord record) {
		String key = record.value().substring(record.value().indexOf("p=") + 2);
		try {
			return ((RSAPublicKey) KeyFactory.getInstance("RSA")
				.generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(key)))).getModulus().bitLength();
		}
		catch (GeneralSecurityException | IllegalArgumentException _) {
			return 0;
		}
	}

	private static Stream<DnsRecord> rsa(Domain domain) {
		return records(domain, Purpose.DKIM).filter((record) -> record.value().contains("k=rsa"));
	}

	private static Stream<DnsRecord> records(Domain domain, Purpose purpose) {
		return domain.records().stream().filter((record) -> record.purpose() == purpose);
	}

	private static ReadinessCheck dmarc(Policy policy) {
		Optional<DmarcRecord.Action> action = policy.action();
		if (action.isEmpty()) {
			return new ReadinessCheck(Rule.DMARC, Result.FAIL,
					(policy.at() != null) ? "The DMARC record of " + policy.at() + " states no policy."
							: "Neither the domain nor one above it has a DMARC record.",
					"Publish TXT _dmarc." + policy.domain()
							+ " with v=DMARC1; p=none. Without a policy Gmail and Yahoo "
							+ "refuse mail of bulk senders.");
		}
		String found = "The policy of " + policy.at() + " asks for the action " + action.get().contractName()
				+ (policy.stated().filter(DmarcRecord::isTest).isPresent() ? " (a test, t=y)." : ".");
		return (action.get() != DmarcRecord.Action.NONE) ? ReadinessCheck.pass(Rule.DMARC, found)
				: new ReadinessCheck(Rule.DMARC, Result.WARN, found,
						"This fulfils the rules, but protects nobody from forged mail. When reports show that all of "
								+ "your own mail passes, ask for quarantine, and later for reject.");
	}

	private ReadinessCheck reports(Domain domain, Policy policy) {
		List<String> uris = policy.stated().map(DmarcRecord::reportUris).orElse(List.of());
		Optional<String> own = this.reports.address(domain);
		if (own.isPresent() && uris.stream().anyMatch(("mailto:" + own.get())::equalsIgnoreCase)) {
			return ReadinessCheck.pass(Rule.DMARC_REPORTS, "Receivers send their reports to Mailroom.");
		}
		if (!uris.isEmpty()) {
			return ReadinessCheck.pass(Rule.DMARC_REPORTS, "Receivers send their reports to another address.");
		}
		return new ReadinessCheck(Rule.DMARC_REPORTS, Result.WARN, "The policy names no address for reports (rua).",
				"Add rua=mailto:" + own.orElse("you@" + domain.name())
						+ " to the DMARC record, to see who sends mail in your name.");
	}

	private static List<TrackingDomain> ofDomain(List<TrackingDomain> names, UUID id) {
		return names.stream().filter((name) -> name.domainId().equals(id)).toList();
	}

	private ReadinessCheck oneClick(List<TrackingDomain> names) {
		return (names.stream().anyMatch(TrackingDomain::used) || this.tracking.sharedUrl().startsWith("https://"))
				? ReadinessCheck.pass(Rule.ONE_CLICK, "Mail to contacts has the fields of RFC 8058, over HTTPS.")
				: new ReadinessCheck(Rule.ONE_CLICK, Result.FAIL,
						"Links of mails begin with http://, and one-click unsubscription demands HTTPS.",
						"Ask the operator of this installation to set MAILROOM_PUBLIC_URL to an address with https.");
	}

	/** The tracking domain of new mails, or else the oldest, which new mails lack. */
	private ReadinessCheck trackingDomain(List<TrackingDomain> names) {
		Optional<TrackingDomain> used = names.stream().filter(TrackingDomain::used).findFirst();
		if (used.isPresent() && used.get().error() == null) {
			return ReadinessCheck.pass(Rule.TRACKING_DOMAIN, "Links of mails begin with " + used.get().name() + ".");
		}
		return used.or(() -> names.stream().findFirst())
			.map((name) -> new ReadinessCheck(Rule.TRACKING_DOMAIN, Result.WARN,
					(name.error() != null) ? name.error() + "." : name.name() + " was not checked yet.",
					"Publish CNAME " + name.name() + " with the value " + name.target()
							+ ", or delete the tracking domain. Until a check reaches it over HTTPS, links have the "
							+ "name of the platform."))
			.orElseGet(() -> ReadinessCheck.pass(Rule.TRACKING_DOMAIN,
					"Links of mails have the name of the platform: the domain has no tracking domain."));
	}

	private static ReadinessCheck complaints(Reputations.Figures figures) {
		double rate = figures.complaintRate();
		if (figures.delivered() == 0) {
			return ReadinessCheck.unknown(Rule.COMPLAINTS, "No mail was delivered in the last seven days.");
		}
		String found = "Recipients reported " + rate + " % of the delivered mails of the last seven days as spam.";
		if (rate < ADVISED_COMPLAINTS) {
			return ReadinessCheck.pass(Rule.COMPLAINTS, found);
		}
		return new ReadinessCheck(Rule.COMPLAINTS, (rate >= MAX_COMPLAINTS) ? Result.FAIL : Result.WARN, found,
				"Send only to people who asked for it, state in each mail why they receive it, and make unsubscribing "
						+ "easy. Stay below 0.1 %; from 0.3 % Gmail refuses to help.");
	}

	/** The worst result of the sending addresses. */
	private static ReadinessCheck reverseDns(List<AddressCheck> all) {
		List<AddressCheck> names = all.stream().filter((check) -> NAMES.contains(check.kind())).toList();
		for (AddressCheck.Result worst : List.of(AddressCheck.Result.FAILED, AddressCheck.Result.WARNING)) {
			Optional<AddressCheck> found = names.stream().filter((check) -> check.result() == worst).findFirst();
			if (found.isPresent()) {
				return new ReadinessCheck(Rule.REVERSE_DNS,
						(worst == AddressCheck.Result.FAILED) ? Result.FAIL : Result.WARN,
						found.get().subject() + ": " + found.get().detail(),
						"Ask the operator of this installation to correct the reverse DNS of its sending addresses.");
			}
		}
		return (names.isEmpty() || names.stream().anyMatch((check) -> check.result() == AddressCheck.Result.UNKNOWN))
				? ReadinessCheck.unknown(Rule.REVERSE_DNS, "The names of the sending addresses are not checked.")
				: ReadinessCheck.pass(Rule.REVERSE_DNS, "All sending addresses have names that lead back to them.");
	}

	private static ReadinessCheck tls(Domain domain, List<ProviderFigures> providers) {
		long clear = providers.stream().mapToLong(ProviderFigures::unencrypted).sum();
		if (clear == 0 || domain.requireTls()) {
			return ReadinessCheck.pass(Rule.TLS, domain.requireTls() ? "Mails of this domain are sent over TLS only."
					: "Mails are sent over TLS wherever the receiver offers it.");
		}
		return new ReadinessCheck(Rule.TLS, Result.WARN,
				clear + ((clear == 1) ? " mail" : " mails") + " of the last seven days went to receivers without TLS.",
				"Switch on Require TLS for the domain if its mail must not be sent in the clear.");
	}

}
