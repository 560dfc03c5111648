package dev.mailroom.worker.smtp.server;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;

import dev.mailroom.inbound.ArrivedMail;
import dev.mailroom.worker.compose.ArcChain;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Runs all checks of a received mail in parallel. A check that fails or times out has the
 * result {@link CheckResult#PROCESSING_FAILED}; the mail is accepted in any case.
 */
@Component
class InboundChecks implements DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(InboundChecks.class);

	/**
	 * Each pending DNS lookup occupies a thread. Their number is limited by that of the
	 * connections. Slow name servers of some senders therefore do not delay the checks of
	 * others.
	 */
	private final Scheduler scheduler = Schedulers.fromExecutorService(Executors.newVirtualThreadPerTaskExecutor(),
			"inbound-verdicts");

	private final Spf spf;

	private final DkimCheck dkim;

	private final Dmarc dmarc;

	private final Rspamd rspamd;

	private final ClamAv clamAv;

	private final ScannerSettings settings;

	InboundChecks(Spf spf, DkimCheck dkim, Dmarc dmarc, Rspamd rspamd, ClamAv clamAv, ScannerSettings settings) {
		this.spf = spf;
		this.dkim = dkim;
		this.dmarc = dmarc;
		this.rspamd = rspamd;
		this.clamAv = clamAv;
		this.settings = settings;
	}

	/**
	 * Checks a mail.
	 * @param recipients recipients of the envelope
	 * @param authors domains of all addresses in all From fields
	 */
	public Mono<CheckResults> check(IncomingMail mail, List<String> recipients, List<String> authors) {
		Mono<CheckResult> spam = guarded("spam", this.rspamd.check(mail, recipients), CheckResult.PROCESSING_FAILED);
		Mono<CheckResult> virus = guarded("virus", this.clamAv.check(mail.raw()), CheckResult.PROCESSING_FAILED);
		return spam.zipWith(virus, ScanResults::new)
			.zipWith(authenticate(mail, authors), (scan, authentication) -> new CheckResults(scan.spam(), scan.virus(),
					authentication.spf(), authentication.dkim(), authentication.dmarc(), authentication.signers()));
	}

	/**
	 * Whether receivers may refuse a mail that is forwarded as it is, because its
	 * author's domain asks for it and has not signed the mail. Also true while its policy
	 * is not known.
	 * @param signers domains whose signatures are valid
	 */
	public Mono<Boolean> failsIfForwarded(String author, List<String> signers) {
		return blocking("DMARC", () -> this.dmarc.failsIfForwarded(author, signers), true);
	}

	/**
	 * Domains and addresses that are proven to have sent a mail, in lower case: by SPF
	 * the return path and its domain, by DKIM the signing domains and an author of one of
	 * them.
	 * @param author address in From; empty if it has none or several
	 */
	public Mono<Set<String>> senders(IncomingMail mail, String author) {
		return spf(mail).zipWith(dkim(mail), (bySpf, byDkim) -> {
			Set<String> senders = new HashSet<>(byDkim.domains());
			if (byDkim.domains().contains(domain(author))) {
				senders.add(author.toLowerCase(Locale.ROOT));
			}
			if (bySpf.check() == CheckResult.PASS) {
				senders.add(bySpf.domain());
				if (bySpf.domain().equals(domain(mail.sender()))) {
					senders.add(mail.sender().toLowerCase(Locale.ROOT));
				}
			}
			return senders;
		});
	}

	/** Whether the domain of the author has signed a mail. */
	public Mono<Boolean> isSignedByAuthor(IncomingMail mail, String author) {
		return dkim(mail).map((result) -> result.domains().contains(domain(author)));
	}

	/** Whether SPF or DKIM authenticates the domain of the author of a mail. */
	public Mono<Boolean> authenticates(IncomingMail mail, String author) {
		return author.isEmpty() ? Mono.just(false)
				: spf(mail).zipWith(dkim(mail))
					.flatMap((both) -> blocking("DMARC",
							() -> this.dmarc.authenticates(author, both.getT1(), both.getT2()), false));
	}

	/** The result of the ARC chain of a mail; empty if it is not known for now. */
	public Mono<Optional<String>> arc(ArcChain chain) {
		return blocking("ARC", () -> this.dkim.arc(chain), Optional.empty());
	}

	private static String domain(String address) {
		return address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
	}

	private Mono<Spf.Result> spf(IncomingMail mail) {
		return blocking("SPF", () -> this.spf.check(mail), Spf.Result.BROKEN);
	}

	private Mono<DkimCheck.Result> dkim(IncomingMail mail) {
		return blocking("DKIM", () -> this.dkim.check(mail.raw()), DkimCheck.Result.BROKEN);
	}

	private Mono<AuthenticationResults> authenticate(IncomingMail mail, List<String> authors) {
		return spf(mail).zipWith(dkim(mail), (bySpf, byDkim) -> {
			Mono<CheckResult> dmarc = blocking("DMARC", () -> this.dmarc.check(authors, bySpf, byDkim),
					CheckResult.PROCESSING_FAILED);
			return dmarc
				.map((result) -> new AuthenticationResults(bySpf.check(), byDkim.check(), result, byDkim.domains()));
		}).flatMap(Function.identity());
	}

	private <T> Mono<T> blocking(String name, Callable<T> check, T broken) {
		return guarded(name, Mono.fromCallable(check).subscribeOn(this.scheduler), broken);
	}

	private <T> Mono<T> guarded(String name, Mono<T> check, T broken) {
		return check.timeout(this.settings.scanTimeout()).onErrorResume((error) -> {
			log.warn("The {} check of a received mail failed: {}", name, error.toString());
			return Mono.just(broken);
		});
	}

	@Override
	public void destroy() {
		this.scheduler.dispose();
	}

	private record ScanResults(CheckResult spam, CheckResult virus) {
	}

	private record AuthenticationResults(CheckResult spf, CheckResult dkim, CheckResult dmarc, List<String> signers) {
	}

	/**
	 * Results of all checks of a received mail.
	 *
	 * @param signers domains whose signatures are valid
	 */
	record CheckResults(CheckResult spam, CheckResult virus, CheckResult spf, CheckResult dkim, CheckResult dmarc,
			List<String> signers) {

		/** The results as stored with the mail. */
		ArrivedMail.Verdicts verdicts() {
			return new ArrivedMail.Verdicts(this.spam.name(), this.virus.name(), this.spf.name(), this.dkim.name(),
					this.dmarc.name());
		}

	}

}
