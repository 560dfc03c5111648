package dev.mailroom.readiness;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import dev.mailroom.Parallel;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.dmarc.DmarcDiscovery;
import dev.mailroom.dmarc.DmarcDiscovery.Policy;
import dev.mailroom.dmarc.DmarcRecord;
import dev.mailroom.dmarc.Lookups;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.readiness.BimiRecord.Problem;
import dev.mailroom.readiness.ReadinessCheck.Result;
import dev.mailroom.readiness.ReadinessCheck.Rule;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Checks each week, and when a domain is verified, whether providers may show the logo of
 * a domain (BIMI): its record, its policy of DMARC, and the files, which a worker
 * fetches.
 */
@Service
public class BimiChecks {

	private static final Logger log = LoggerFactory.getLogger(BimiChecks.class);

	/** Domains taken together. After a crash, the rest of a batch waits a retry. */
	private static final int BATCH_SIZE = 64;

	private static final int CONCURRENCY = 8;

	private static final Duration INTERVAL = Duration.ofDays(7);

	/** Time until the next check if the name servers did not answer. */
	private static final Duration RETRY = Duration.ofHours(1);

	/** Length of the texts that are stored at most. */
	private static final int MAX_TEXT = 2000;

	private final BimiStore store;

	private final Domains domains;

	private final Lookups lookups;

	private final DmarcDiscovery discovery;

	private final Transactions transactions;

	private final JdbcTransactions jdbcTransactions;

	BimiChecks(BimiStore store, Domains domains, Lookups lookups, DmarcDiscovery discovery, Transactions transactions,
			JdbcTransactions jdbcTransactions) {
		this.store = store;
		this.domains = domains;
		this.lookups = lookups;
		this.discovery = discovery;
		this.transactions = transactions;
		this.jdbcTransactions = jdbcTransactions;
	}

	/** Asks for a check of one of the account's domains, which begins within seconds. */
	public Mono<Void> checkNow(Scope scope, UUID domain) {
		return this.transactions.in(scope, this.store.checkNow(scope, domain)).then();
	}

	/** Result of the last check. */
	Mono<ReadinessCheck> find(Scope scope, UUID domain) {
		return this.transactions.in(scope, this.store.find(scope, domain))
			.defaultIfEmpty(ReadinessCheck.unknown(Rule.BIMI, "The logo was not looked up yet: verify the domain."));
	}

	/** Adds domains that were never checked. */
	public long add() {
		this.jdbcTransactions.runAcrossAccounts((jdbc) -> this.store.add(jdbc, INTERVAL));
		return 0;
	}

	/**
	 * Checks a batch of the domains that are due.
	 * @param files checks the files of a domain's record
	 * @return number of domains that were checked
	 */
	public long run(BiFunction<String, BimiRecord, List<Problem>> files) {
		List<Due> due = this.jdbcTransactions.acrossAccounts((jdbc) -> this.store.takeDue(jdbc, BATCH_SIZE, RETRY));
		return Parallel.map(due, CONCURRENCY, (each) -> check(each, files)).size();
	}

	/** The error of one domain does not stop the checks of the others. */
	private Due check(Due due, BiFunction<String, BimiRecord, List<Problem>> files) {
		Scope scope = Scope.of(due.account);
		try {
			Domain domain = Objects.requireNonNull(this.domains.find(scope, due.domain).block());
			ReadinessCheck check = check(domain, files);
			Duration next = (check.result() == Result.UNKNOWN) ? RETRY : INTERVAL;
			double factor = ThreadLocalRandom.current().nextDouble(0.9, 1.1);
			this.jdbcTransactions.run(scope, (jdbc) -> this.store.save(jdbc, scope, due.domain, check,
					Duration.ofMillis((long) (next.toMillis() * factor))));
		}
		catch (RuntimeException ex) {
			log.warn("The logo of the domain {} could not be checked and waits for its next check: {}", due.domain,
					ex.toString());
		}
		return due;
	}

	private ReadinessCheck check(Domain domain, BiFunction<String, BimiRecord, List<Problem>> files) {
		if (this.domains.isOutsideDns(domain)) {
			return ReadinessCheck.unknown(Rule.BIMI, "The name servers do not know this name.");
		}
		try {
			Policy policy = Objects.requireNonNull(this.discovery.discover(domain.name()).block());
			List<BimiRecord> records = Objects.requireNonNull(Flux.just(domain.name(), policy.organization())
				.distinct()
				.concatMap(this::records, 0)
				.filter((found) -> !found.isEmpty())
				.next()
				.defaultIfEmpty(List.of())
				.block());
			return judge(domain.name(), policy, records, files);
		}
		catch (UncheckedIOException _) {
			return ReadinessCheck.unknown(Rule.BIMI, "The name servers did not answer; the check is repeated.");
		}
	}

	private Mono<List<BimiRecord>> records(String name) {
		return this.lookups.texts("default._bimi." + name)
			.map((texts) -> texts.stream()
				.map((text) -> BimiRecord.parse(name, text))
				.flatMap(Optional::stream)
				.toList());
	}

	private static ReadinessCheck judge(String domain, Policy policy, List<BimiRecord> records,
			BiFunction<String, BimiRecord, List<Problem>> files) {
		if (records.isEmpty()) {
			return ReadinessCheck.pass(Rule.BIMI, "The domain publishes no logo, which is not required.");
		}
		BimiRecord record = records.getFirst();
		if (records.size() > 1) {
			return warning(List
				.of(new Problem("default._bimi." + record.at() + " has several records.", "Leave one of them.")));
		}
		if (record.isDeclined()) {
			return ReadinessCheck.pass(Rule.BIMI, "The record of " + record.at() + " states that there is no logo.");
		}
		List<Problem> problems = new ArrayList<>(policy(policy));
		problems.addAll(files.apply(domain, record));
		return problems.isEmpty()
				? ReadinessCheck.pass(Rule.BIMI, "The logo of " + record.at() + " and its certificate can be shown.")
				: warning(problems);
	}

	/** Providers show logos only of domains whose policy stops forged mail. */
	private static List<Problem> policy(Policy policy) {
		List<Problem> problems = new ArrayList<>();
		Optional<DmarcRecord> stated = policy.stated();
		if (stated.filter(DmarcRecord::isTest).isPresent()) {
			problems.add(new Problem("The policy of DMARC is a test (t=y).", "Remove t=y from the DMARC record."));
		}
		else if (policy.action().orElse(DmarcRecord.Action.NONE) == DmarcRecord.Action.NONE) {
			problems.add(new Problem("The policy of DMARC does not ask to stop forged mail.",
					"Ask for p=quarantine or p=reject once all of your own mail passes."));
		}
		if (stated
			.filter((record) -> record.ofSubdomains() == DmarcRecord.Action.NONE && !record.isTest()
					&& record.own() != DmarcRecord.Action.NONE)
			.isPresent()) {
			problems.add(new Problem("The policy of DMARC leaves subdomains out (sp=none).",
					"Remove sp=none from the DMARC record."));
		}
		return problems;
	}

	private static ReadinessCheck warning(List<Problem> problems) {
		return new ReadinessCheck(Rule.BIMI, Result.WARN,
				text(problems.stream().map(Problem::finding).collect(Collectors.joining(" "))),
				text(problems.stream().map(Problem::fix).distinct().collect(Collectors.joining(" "))));
	}

	/** A text that the database takes. */
	private static String text(String text) {
		return text.substring(0, Math.min(text.length(), MAX_TEXT)).replace('\0', '\uFFFD');
	}

	/** A domain that is due. */
	record Due(UUID domain, UUID account) {
	}

}
