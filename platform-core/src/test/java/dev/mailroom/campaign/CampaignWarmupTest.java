package dev.mailroom.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.domain.Warmup;
import dev.mailroom.domain.Warmups;
import dev.mailroom.mail.accept.TestSends;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;

import static dev.mailroom.Await.await;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Campaigns of a domain that warms up, with 200 mails on its first day. */
@WithCore
class CampaignWarmupTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignFanOut fanOut;

	@Autowired
	Warmups warmups;

	@Autowired
	TestSends sends;

	private final Owner owner = new Owner();

	@BeforeEach
	void warmUp() {
		await(this.warmups.start(this.owner.scope, this.owner.domain));
	}

	@Test
	void aCampaignWaitsForTheNextDayWhenTheAllowanceIsUsedUp() {
		contacts(600);
		UUID id = started(null);
		assertThat(steps(id)).isEqualTo(200);
		assertThat(step(id)).isEqualTo(CampaignFanOut.Step.WAIT);
		assertThat(status(id)).containsExactly("running");
		assertThat(isOffered(id)).isFalse();
		Campaign waiting = await(this.campaigns.find(this.owner.scope, id));
		assertThat(waiting.pausedReason()).isNull();
		assertThat(waiting.warmup()).isEqualTo(warmup())
			.extracting(Warmup::allowance, Warmup::usedToday)
			.containsExactly(200L, 200L);
		aDayPasses();
		assertThat(isOffered(id)).isTrue();
		assertThat(steps(id)).isEqualTo(300);
		aDayPasses();
		assertThat(steps(id)).isEqualTo(102);
		assertThat(mails(id)).hasSize(602).doesNotHaveDuplicates();
		assertThat(isFannedOut(id)).isTrue();
		assertThat(warmup().usedToday()).isEqualTo(102);
	}

	@Test
	void campaignsOfTheDomainShareTheAllowance() {
		contacts(150);
		UUID one = started(null);
		UUID other = started(null);
		assertThat(steps(one)).isEqualTo(152);
		assertThat(steps(other)).isEqualTo(48);
		assertThat(steps(other)).isZero();
		assertThat(isFannedOut(one)).isTrue();
		assertThat(isOffered(other)).isFalse();
		aDayPasses();
		assertThat(steps(other)).isEqualTo(104);
		assertThat(isFannedOut(other)).isTrue();
	}

	@Test
	void concurrentStepsOfSeveralCampaignsNeverExceedTheAllowance() {
		contacts(8);
		List<UUID> ids = IntStream.range(0, 32).mapToObj((_) -> started(null)).toList();
		long mails = await(Flux.range(0, 32)
			.flatMap((i) -> concurrent(ids.get(i)), 32)
			.map(CampaignFanOut.Step::mails)
			.reduce(0L, Long::sum));
		assertThat(mails).isEqualTo(warmup().usedToday()).isEqualTo(200);
		assertThat(ids.stream().mapToInt((id) -> mails(id).size()).sum()).isEqualTo(200);
		aDayPasses();
		Flux<CampaignFanOut.Step> rest = Flux.fromIterable(ids).flatMap(this::concurrent, 32);
		await(rest.then());
		assertThat(ids).allMatch(CampaignWarmupTest::isFannedOut);
		assertThat(warmup().usedToday()).isEqualTo(120);
		assertThat(ids).allSatisfy((id) -> assertThat(mails(id)).hasSize(10).doesNotHaveDuplicates());
	}

	@Test
	void aPageThatIsRolledBackGivesItsAllowanceBack() {
		UUID id = started(null);
		Given.run("create function refuse() returns trigger language plpgsql as "
				+ "$$begin raise exception 'no' using errcode = '23514'; end$$");
		Given.run(
				"create constraint trigger refused after insert on campaign_recipient deferrable initially deferred "
						+ "for each row when (new.account_id = '%s') execute function refuse()",
				this.owner.scope.account());
		try {
			assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> step(id));
		}
		finally {
			Given.run("drop trigger refused on campaign_recipient; drop function refuse()");
		}
		assertThat(warmup().usedToday()).isZero();
		assertThat(steps(id)).isEqualTo(2);
		assertThat(warmup().usedToday()).isEqualTo(2);
	}

	@Test
	void afterTheEndOfTheWarmUpTheRestIsSentAtOnce() {
		contacts(500);
		UUID id = started(null);
		steps(id);
		assertThat(isOffered(id)).isFalse();
		await(this.warmups.stop(this.owner.scope, this.owner.domain));
		assertThat(isOffered(id)).isTrue();
		assertThat(steps(id)).isEqualTo(302);
		assertThat(await(this.campaigns.find(this.owner.scope, id)).warmup()).isNull();
	}

	@Test
	void aPauseAndAResumeKeepTheCountOfTheDay() {
		contacts(500);
		UUID id = started(null);
		steps(id);
		await(this.campaigns.pause(this.owner.scope, id));
		aDayPasses();
		assertThat(isOffered(id)).isFalse();
		assertThat(step(id)).isEqualTo(CampaignFanOut.Step.WAIT);
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(steps(id)).isEqualTo(300);
		await(this.campaigns.pause(this.owner.scope, id));
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(steps(id)).isZero();
		assertThat(warmup().usedToday()).isEqualTo(300);
	}

	@Test
	void skippedContactsUseNoAllowanceAndTheCountsEqualARecount() {
		contacts(400);
		Given.run("update contact set subscribed = false where contact_book_id = '%s' and email_key < '2'",
				this.owner.book);
		UUID id = started(null);
		assertThat(steps(id)).isEqualTo(200);
		aDayPasses();
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.owner.book);
		assertThat(steps(id)).isZero();
		assertThat(isFannedOut(id)).isTrue();
		assertThat(warmup().day()).as("a day without mails does not count").isEqualTo(2);
		Campaign counted = await(this.campaigns.find(this.owner.scope, id));
		assertThat(
				Given.rows("select count(*) from campaign_recipient where campaign_id = '%s' and email_id is null", id))
			.containsExactly(String.valueOf(counted.skippedCount()));
		assertThat(mails(id)).hasSize(200);
	}

	@Test
	void aCampaignWithAPaceKeepsIt() {
		contacts(300);
		UUID id = started(900);
		assertThat(steps(id)).isEqualTo(49);
		List<Integer> mails = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			Given.run("update campaign set paced_until = now() where id = '%s'", id);
			mails.add(steps(id));
			assertThat(steps(id)).isZero();
		}
		assertThat(mails).containsExactly(150, 1, 0);
		assertThat(isOffered(id)).isFalse();
	}

	@Test
	void contactsAreSelectedWhileTheirMailsWait() {
		contacts(1500);
		UUID id = started(null);
		assertThat(step(id).mails()).isEqualTo(49);
		assertThat(isOffered(id)).isTrue();
		assertThat(steps(id)).isEqualTo(151);
		assertThat(isOffered(id)).isFalse();
		assertThat(Given.rows("select contact_id from campaign_audience where campaign_id = '%s'", id)).hasSize(1302);
	}

	@Test
	void aCampaignThatUsesTheWholeAllowanceEnds() {
		contacts(198);
		UUID id = started(null);
		assertThat(steps(id)).isEqualTo(200);
		assertThat(isFannedOut(id)).isTrue();
		UUID empty = started(null);
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.owner.book);
		steps(empty);
		assertThat(isFannedOut(empty)).as("without mails it does not wait").isTrue();
	}

	@Test
	void transactionalMailIsNeitherLimitedNorCounted() {
		contacts(300);
		UUID id = started(null);
		steps(id);
		Scope sender = Scope.of(this.owner.scope.account(), this.owner.domain, this.owner.scope.account());
		await(this.sends.send(sender, Submission.of("ann@" + this.owner.domain + ".test", List.of("a@b.test"),
				MailContent.of("Hi", null, "Hello")), null));
		assertThat(Given.rows("select ready from queue where account_id = '%s' and not campaign",
				this.owner.scope.account()))
			.containsExactly("t");
		assertThat(warmup().usedToday()).isEqualTo(200);
	}

	@Test
	void anotherDomainIsNotLimited() {
		contacts(300);
		UUID other = Given.domain(this.owner.scope.account());
		UUID id = await(this.campaigns.create(this.owner.scope, form("Ann <ann@" + other + ".test>", null))).id();
		await(this.campaigns.start(this.owner.scope, id));
		assertThat(steps(id)).isEqualTo(302);
		assertThat(await(this.campaigns.find(this.owner.scope, id)).warmup()).isNull();
		assertThat(warmup().usedToday()).isZero();
	}

	@Test
	void theQuotaHoldsBesideTheWarmUp() {
		contacts(300);
		Given.run(
				"insert into quota_use (account_id, period, starts_on, used) values "
						+ "('%1$s', 'month', date_trunc('month', now() at time zone 'UTC')::date, 49950)",
				this.owner.scope.account());
		UUID id = started(null);
		assertThat(steps(id)).isEqualTo(50);
		assertThat(warmup().usedToday()).isEqualTo(50);
	}

	private UUID started(@Nullable Integer pace) {
		UUID id = await(this.campaigns.create(this.owner.scope, form("Ann <ann@" + this.owner.domain + ".test>", pace)))
			.id();
		await(this.campaigns.start(this.owner.scope, id));
		return id;
	}

	private Campaign.Form form(String from, @Nullable Integer pace) {
		return new Campaign.Form("n", from, List.of(), "The subject", this.owner.book, null, null, "Hello", null, null,
				pace);
	}

	private CampaignFanOut.Step step(UUID id) {
		return this.fanOut.next(running(id));
	}

	/** Mails of the steps until none can follow at once. */
	private int steps(UUID id) {
		int mails = 0;
		CampaignFanOut.Step step;
		do {
			step = step(id);
			mails += step.mails();
		}
		while (step.more());
		return mails;
	}

	private Mono<CampaignFanOut.Step> concurrent(UUID id) {
		return Mono.fromCallable(() -> step(id)).subscribeOn(Schedulers.boundedElastic());
	}

	private CampaignFanOut.Running running(UUID id) {
		return new CampaignFanOut.Running(id, this.owner.scope.account(), false);
	}

	/** Whether the fan-out would take a step of the campaign. */
	private boolean isOffered(UUID id) {
		return this.fanOut.running().stream().anyMatch((campaign) -> campaign.id().equals(id));
	}

	private Warmup warmup() {
		UUID domain = this.owner.domain;
		return await(this.warmups.findAll(this.owner.scope, List.of(domain)).mapNotNull((all) -> all.get(domain)));
	}

	private void aDayPasses() {
		Given.run("update domain_warmup set counted_on = counted_on - 1 where domain_id = '%s'", this.owner.domain);
	}

	private void contacts(int count) {
		Given.run("insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
				+ "select gen_random_uuid(), '%1$s', '%2$s', number || '@x.test', number || '@x.test', now(), now() "
				+ "from generate_series(1, %3$d) as number", this.owner.scope.account(), this.owner.book, count);
	}

	private static List<String> mails(UUID id) {
		return Given.rows("select contact_id from queue where campaign_id = '%s'", id);
	}

	private static boolean isFannedOut(UUID id) {
		return Given.rows("select fanned_out_at is not null from campaign where id = '%s'", id).contains("t");
	}

}
