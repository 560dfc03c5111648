package dev.mailroom.worker.inbound;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;

import dev.mailroom.inbound.ReceivedMail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Has a mail looked at by everybody who looks, all at once. Whatever breaks or takes too
 * long costs its own verdict and never the mail.
 */
@Component
class InboundChecks implements DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(InboundChecks.class);

	/** Name servers that do not answer hold a thread each. */
	private static final int THREADS = 32;

	private static final int WAITING = 1000;

	private final Scheduler scheduler = Schedulers.newBoundedElastic(THREADS, WAITING, "inbound-verdicts");

	private final Spf spf;

	private final Dkim dkim;

	private final Dmarc dmarc;

	private final Rspamd rspamd;

	private final ClamAv clamAv;

	private final InboundSettings settings;

	InboundChecks(Spf spf, Dkim dkim, Dmarc dmarc, Rspamd rspamd, ClamAv clamAv, InboundSettings settings) {
		this.spf = spf;
		this.dkim = dkim;
		this.dmarc = dmarc;
		this.rspamd = rspamd;
		this.clamAv = clamAv;
		this.settings = settings;
	}

	/**
	 * What all of them say.
	 * @param recipients of the envelope
	 * @param authors the domains of all addresses in all From fields
	 */
	Mono<ReceivedMail.Verdicts> judge(IncomingMail mail, List<String> recipients, List<String> authors) {
		Mono<CheckResult> spam = whole("spam", this.rspamd.check(mail, recipients), CheckResult.PROCESSING_FAILED);
		Mono<CheckResult> virus = whole("virus", this.clamAv.check(mail.raw()), CheckResult.PROCESSING_FAILED);
		return spam.zipWith(virus, Scanned::new).zipWith(proven(mail, authors), InboundChecks::together);
	}

	private Mono<Proven> proven(IncomingMail mail, List<String> authors) {
		Mono<Spf.Result> spf = aside("SPF", () -> this.spf.check(mail), Spf.Result.BROKEN);
		Mono<Dkim.Result> dkim = aside("DKIM", () -> this.dkim.check(MailHeader.of(mail.raw())), Dkim.Result.BROKEN);
		return spf.zipWith(dkim, (bySpf, byDkim) -> {
			Mono<CheckResult> dmarc = aside("DMARC", () -> this.dmarc.check(authors, bySpf, byDkim),
					CheckResult.PROCESSING_FAILED);
			return dmarc.map((verdict) -> new Proven(bySpf.verdict(), byDkim.verdict(), verdict));
		}).flatMap(Function.identity());
	}

	private static ReceivedMail.Verdicts together(Scanned scanned, Proven proven) {
		return new ReceivedMail.Verdicts(scanned.spam().name(), scanned.virus().name(), proven.spf().name(),
				proven.dkim().name(), proven.dmarc().name());
	}

	private <T> Mono<T> aside(String what, Callable<T> check, T broken) {
		return whole(what, Mono.fromCallable(check).subscribeOn(this.scheduler), broken);
	}

	private <T> Mono<T> whole(String what, Mono<T> check, T broken) {
		return check.timeout(this.settings.scanTimeout()).onErrorResume((error) -> {
			log.warn("The {} check of a mail that came in broke: {}", what, error.toString());
			return Mono.just(broken);
		});
	}

	@Override
	public void destroy() {
		this.scheduler.dispose();
	}

	private record Scanned(CheckResult spam, CheckResult virus) {
	}

	private record Proven(CheckResult spf, CheckResult dkim, CheckResult dmarc) {
	}

}
