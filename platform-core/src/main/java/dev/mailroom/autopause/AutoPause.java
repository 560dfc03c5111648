package dev.mailroom.autopause;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.notice.PlatformMail;
import dev.mailroom.reputation.Figures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Watches how accounts' mail is taken. One that goes over the risky rates is paused, with
 * the reason that its owner reads, until an operator lifts it.
 */
@Service
public class AutoPause {

	private static final Logger log = LoggerFactory.getLogger(AutoPause.class);

	private static final int BATCH = 64;

	private static final String SUBJECT = "Sending is paused for your account";

	private static final String TEXT = """
			Sending is paused for your account: %s.

			What is in the queue stays there and is sent when the pause is lifted; new mail is refused as \
			"Account paused" until then. Campaigns that were running are paused, and wait for you to resume them. \
			GET /analytics/reputation shows what the mails came back for and what to do about it. Answer to your \
			operator when it is done: the pause is lifted by hand.
			""";

	private final AutoPauseStore store;

	private final AutoPauseSettings settings;

	private final Transactions transactions;

	private final CampaignRuns campaigns;

	private final PlatformMail mail;

	AutoPause(AutoPauseStore store, AutoPauseSettings settings, Transactions transactions, CampaignRuns campaigns,
			PlatformMail mail) {
		this.store = store;
		this.settings = settings;
		this.transactions = transactions;
		this.campaigns = campaigns;
		this.mail = mail;
	}

	/**
	 * Pauses those who are over the rates, and writes to owners who do not know yet.
	 * @return how many were paused
	 */
	public Mono<Long> look() {
		Flux<Seen> seen = this.settings.enabled()
				? this.transactions.acrossAccounts(this.store.seen(this.settings.days())) : Flux.empty();
		return seen.collectList()
			.flatMapIterable((all) -> all)
			.concatMap(this::judge)
			.reduce(0L, Long::sum)
			.delayUntil((_) -> tell());
	}

	/**
	 * Lifts a pause: an operator's act. What was until then, and what is until midnight
	 * of UTC, is not counted against the account again.
	 * @return whether it was paused
	 */
	public Mono<Boolean> lift(Scope scope) {
		return this.transactions.in(scope, this.store.lift(scope)).map((count) -> count > 0);
	}

	private Mono<Long> judge(Seen seen) {
		Scope scope = Scope.of(seen.accountId());
		return Mono
			.justOrEmpty(this.settings.reason(new Figures(seen.delivered(), seen.hardBounced(), seen.complained())))
			.flatMap((reason) -> this.transactions.in(scope, pause(scope, reason))
				.doOnNext((count) -> log.warn("Account {} is paused: {}", seen.accountId(), reason)));
	}

	/** One that somebody else has paused meanwhile has nothing running any more. */
	private Mono<Long> pause(Scope scope, String reason) {
		return this.store.pause(scope, reason)
			.delayUntil((count) -> (count > 0) ? this.campaigns.pauseAll(scope, reason) : Mono.empty());
	}

	private Mono<Void> tell() {
		return this.transactions.acrossAccounts(this.store.notices(BATCH))
			.collectList()
			.flatMapIterable((notices) -> notices)
			.concatMap(this::tell)
			.then();
	}

	/** A crash between the two writes the mail again, and its name keeps it one. */
	private Mono<Void> tell(Notice notice) {
		Scope scope = Scope.of(notice.accountId());
		String name = "pause %s %08x".formatted(notice.accountId(), notice.reason().hashCode());
		return this.mail.sendOnce(name, notice.owner(), SUBJECT, TEXT.formatted(notice.reason()))
			.then(Mono.defer(() -> this.transactions.in(scope, this.store.told(scope))))
			.onErrorResume((error) -> {
				log.warn("The owner of account {} could not be told of the pause and waits: {}", notice.accountId(),
						error.toString());
				return Mono.empty();
			});
	}

	/** An account's figures. */
	record Seen(UUID accountId, long delivered, long hardBounced, long complained) {
	}

	/** What an owner is to be told. */
	record Notice(UUID accountId, String owner, String reason) {
	}

}
