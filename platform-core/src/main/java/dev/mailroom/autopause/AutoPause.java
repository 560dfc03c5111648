package dev.mailroom.autopause;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.campaign.CampaignRuns;
import dev.mailroom.notice.PauseNotices;
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

	private final AutoPauseStore store;

	private final AutoPauseSettings settings;

	private final Transactions transactions;

	private final CampaignRuns campaigns;

	private final PauseNotices notices;

	AutoPause(AutoPauseStore store, AutoPauseSettings settings, Transactions transactions, CampaignRuns campaigns,
			PauseNotices notices) {
		this.store = store;
		this.settings = settings;
		this.transactions = transactions;
		this.campaigns = campaigns;
		this.notices = notices;
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
		return this.notices.send(notice.accountId(), notice.owner(), notice.reason())
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
