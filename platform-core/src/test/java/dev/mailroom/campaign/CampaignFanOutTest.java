package dev.mailroom.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.accept.Quotas;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.campaign.Owner.contact;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class CampaignFanOutTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignFanOut fanOut;

	@Autowired
	ConfigurableApplicationContext context;

	private final Owner owner = new Owner();

	@Test
	void eachSubscribedContactGetsAMailOfTheCampaignWithoutABodyOfItsOwn() {
		UUID id = started(null, null);
		assertThat(step(id)).isEqualTo(new CampaignFanOut.Step(2, false));
		assertThat(Given.rows("select stream || ' ' || status || ' ' || subject || ' ' || sender from email "
				+ "where campaign_id = '%s' and coalesce(api_key_id, person_id) is null", id))
			.hasSize(2)
			.containsOnly("campaign pending The subject Ann <ann@" + this.owner.domain + ".test>");
		assertThat(Given.rows("select contact.id from queue join contact on contact.id = queue.contact_id "
				+ "where campaign_id = '%s' and campaign and ready and subscribed and recipient = contact.email", id))
			.hasSize(2);
		assertThat(Given.rows(
				"select email_id from email_content join email on email.id = email_id " + "where campaign_id = '%s'",
				id))
			.isEmpty();
		assertThat(await(this.campaigns.find(this.owner.scope, id)).skippedCount()).isEqualTo(1);
	}

	@Test
	void aSuppressedContactIsSkippedAndNeedsNoQuota() {
		UUID id = started(null, null);
		Given.run("insert into suppression (id, account_id, address, reason, created_at) select gen_random_uuid(), "
				+ "account_id, email_key, 'manual', now() from contact where contact_book_id = '%s' and subscribed "
				+ "limit 1", this.owner.book);
		assertThat(step(id).mails()).isEqualTo(1);
		assertThat(await(this.campaigns.find(this.owner.scope, id)).skippedCount()).isEqualTo(2);
		assertThat(used()).isEqualTo("1");
	}

	@Test
	void aRecipientBeyondAsciiHasItsKeyInTheQueue() {
		Given.run(
				"update contact set email = 'Ä' || email, email_key = 'ä' || email_key "
						+ "where id = (select id from contact where contact_book_id = '%s' and subscribed limit 1)",
				this.owner.book);
		UUID id = started(null, null);
		step(id);
		assertThat(Given.rows("select recipient_key is not distinct from case when contact.email like 'Ä%%' "
				+ "then email_key end from queue join contact on contact.id = queue.contact_id where campaign_id = '%s'",
				id))
			.containsExactly("t", "t");
	}

	@Test
	void aContactAddedAfterTheStartGetsNoMail() {
		UUID id = started(null, null);
		contact(this.owner.scope, this.owner.book, true);
		assertThat(step(id).mails()).isEqualTo(2);
		assertThat(await(this.campaigns.find(this.owner.scope, id)).totalContacts()).isEqualTo(2);
	}

	@Test
	void theContactsAreThoseCommittedBeforeTheStartWhateverTheClocksShow() {
		Given.run("update contact set created_at = now() + interval '1 hour' where contact_book_id = '%s'",
				this.owner.book);
		UUID id = started(null, null);
		contact(this.owner.scope, this.owner.book, true);
		Given.run("update contact set created_at = now() - interval '1 hour', email = 'late@x.test' "
				+ "where contact_book_id = '%s' and created_at < now() + interval '1 minute'", this.owner.book);
		assertThat(step(id).mails()).isEqualTo(2);
		assertThat(Given.rows("select recipient from queue where campaign_id = '%s'", id)).hasSize(2)
			.doesNotContain("late@x.test");
		assertThat(await(this.campaigns.find(this.owner.scope, id)).totalContacts()).isEqualTo(2);
	}

	@Test
	void aContactWhoseTransactionOutlastsTheStartIsNeitherCountedNorSent() {
		Given.run("begin");
		UUID id;
		try {
			contact(this.owner.scope, this.owner.book, true);
			id = started(null, null);
		}
		finally {
			Given.run("commit");
		}
		assertThat(step(id).mails()).isEqualTo(2);
		assertThat(await(this.campaigns.find(this.owner.scope, id)).totalContacts()).isEqualTo(2);
	}

	@Test
	void aCampaignThatRanBeforeItsSnapshotWasRecordedKeepsItsContacts() {
		UUID id = started(null, null);
		contact(this.owner.scope, this.owner.book, true);
		Given.run("update campaign set start_snapshot = null where id = '%s'", id);
		assertThat(step(id).mails()).isEqualTo(2);
	}

	@Test
	void theQuotaIsNotLockedWhileAPageIsInserted() {
		contacts(2500);
		UUID id = started(null, null);
		steps(id, 3);
		CompletableFuture<CampaignFanOut.Step> page;
		Given.run("begin; select from campaign_audience where campaign_id = '%s' for update", id);
		try {
			page = CompletableFuture.supplyAsync(() -> this.fanOut.next(running(id, false)),
					Thread::startVirtualThread);
			Given.untilBlocking("the page has inserted its rows and waits for the selected contacts");
			Given.run("select from quota_use where account_id = '%s' for update nowait", this.owner.scope.account());
		}
		finally {
			Given.run("rollback");
		}
		assertThat(await(Mono.fromFuture(page)).mails()).isEqualTo(1000);
		assertThat(used()).isEqualTo("2249");
	}

	@Test
	void aPageIsRolledBackIfOtherMailTakesTheQuotaMeanwhile() {
		UUID account = this.owner.scope.account();
		Given.run("insert into quota_use (account_id, period, starts_on, used) values "
				+ "('%1$s', 'month', date_trunc('month', now() at time zone 'UTC')::date, 49998)", account);
		UUID id = started(null, null);
		CompletableFuture<CampaignFanOut.Step> page;
		Given.run("begin; update quota_use set used = 49999 where account_id = '%s'", account);
		try {
			page = CompletableFuture.supplyAsync(() -> this.fanOut.next(running(id, false)),
					Thread::startVirtualThread);
			Given.untilBlocking("the page waits for the quota");
		}
		finally {
			Given.run("commit");
		}
		assertThat(await(Mono.fromFuture(page))).isEqualTo(CampaignFanOut.Step.WAIT);
		assertThat(Given.rows("select id from queue where campaign_id = '%s'", id)).isEmpty();
		assertThat(step(id).mails()).isEqualTo(1);
		assertThat(Given.rows("select used from quota_use where account_id = '%s' and period = 'month'", account))
			.containsExactly("50000");
		assertThat(Given.rows("select kind from event where account_id = '%s' and kind like 'quota.%%' order by kind",
				account))
			.containsExactly("quota.reached", "quota.warning");
	}

	@Test
	void concurrentStepsCreateOneMailForEachContact() {
		contacts(2500);
		UUID id = started(null, null);
		await(Flux.range(0, 12)
			.flatMap((_) -> Mono.fromCallable(() -> this.fanOut.next(running(id, false)))
				.subscribeOn(Schedulers.boundedElastic()), 4)
			.collectList());
		while (!isFannedOut(id)) {
			step(id);
		}
		assertThat(Given.rows("select contact_id from queue where campaign_id = '%s'", id)).hasSize(2502)
			.doesNotHaveDuplicates();
		assertThat(used()).isEqualTo("2502");
	}

	@Test
	void theFirstPagesAreSmallSoThatTheFirstMailIsReadySoon() {
		contacts(1500);
		UUID id = started(null, null);
		assertThat(List.of(step(id).mails(), step(id).mails(), step(id).mails(), step(id).mails()))
			.as("one contact of the first page is not subscribed")
			.containsExactly(49, 200, 1000, 253);
		assertThat(isFannedOut(id)).isTrue();
	}

	@Test
	void contactsAreSelectedAheadOfTheirMailsAndCheckedAgainThen() {
		contacts(2500);
		UUID id = started(null, null);
		assertThat(step(id).more()).isTrue();
		assertThat(selected(id)).hasSize(950);
		assertThat(step(id).more()).isTrue();
		assertThat(selected(id)).hasSize(2253);
		Given.run("update contact set subscribed = false where id = (select contact_id from campaign_audience "
				+ "where campaign_id = '%s' order by number limit 1)", id);
		Given.run("delete from contact where id = (select contact_id from campaign_audience "
				+ "where campaign_id = '%s' order by number desc limit 1)", id);
		steps(id, 2);
		assertThat(step(id).more()).isFalse();
		assertThat(isFannedOut(id)).isTrue();
		assertThat(selected(id)).isEmpty();
		assertThat(Given.rows("select contact_id from queue where campaign_id = '%s'", id)).hasSize(2500)
			.doesNotHaveDuplicates();
		assertThat(await(this.campaigns.find(this.owner.scope, id)).skippedCount()).isEqualTo(2);
	}

	@Test
	void aDeletedCampaignLeavesNoSelectedContacts() {
		contacts(2500);
		UUID id = started(null, null);
		steps(id, 2);
		await(this.campaigns.pause(this.owner.scope, id));
		await(this.campaigns.delete(this.owner.scope, id).thenReturn(true));
		assertThat(selected(id)).isEmpty();
	}

	@Test
	void aCampaignIsSentWhenItsLastMailIsSettled() {
		UUID id = started(null, null);
		step(id);
		this.fanOut.next(running(id, true));
		assertThat(status(id)).containsExactly("running");
		Given.run("delete from queue where campaign_id = '%s'", id);
		this.fanOut.next(running(id, true));
		assertThat(status(id)).containsExactly("sent");
		assertThat(events(id)).containsExactly("campaign.started", "campaign.sent");
	}

	@Test
	void aCampaignUsesUpTheQuotaAndIsPausedOnceItsMailsHaveLeft() {
		List<Quotas.LimitReached> reached = new ArrayList<>();
		this.context.addApplicationListener((event) -> {
			if (event instanceof PayloadApplicationEvent<?> published
					&& published.getPayload() instanceof Quotas.LimitReached limit) {
				reached.add(limit);
			}
		});
		Given.run(
				"insert into quota_use (account_id, period, starts_on, used) values "
						+ "('%1$s', 'month', date_trunc('month', now() at time zone 'UTC')::date, 49999)",
				this.owner.scope.account());
		UUID id = started(null, null);
		assertThat(step(id)).isEqualTo(new CampaignFanOut.Step(1, false));
		assertThat(step(id).mails()).isZero();
		assertThat(status(id)).containsExactly("running");
		assertThat(reached).isEmpty();
		Given.run("delete from queue where campaign_id = '%s'", id);
		step(id);
		assertThat(reached).extracting(Quotas.LimitReached::period).containsExactly("month");
		Campaign paused = await(this.campaigns.find(this.owner.scope, id));
		assertThat(paused.status()).isEqualTo(CampaignStatus.PAUSED);
		assertThat(paused.pausedReason()).contains("quota is used up", "monthly quota");
		assertThat(events(id)).containsExactly("campaign.started", "campaign.paused");
		assertThat(Given.rows("select used from quota_use where account_id = '%s' and period = 'month'",
				this.owner.scope.account()))
			.containsExactly("50000");
		Given.run("delete from quota_use where account_id = '%s'", this.owner.scope.account());
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(step(id).mails()).isEqualTo(1);
	}

	@Test
	void aCampaignWhoseDomainIsNoLongerVerifiedIsPaused() {
		UUID id = started(null, null);
		Given.run("update domain set status = 'failed' where id = '%s'", this.owner.domain);
		step(id);
		assertThat(await(this.campaigns.find(this.owner.scope, id)).pausedReason()).contains("domain");
	}

	@Test
	void aFilterSelectsContactsByPropertyAndCreationTime() {
		Given.run(
				"update contact set properties = '{\"city\": \"Graz\", \"age\": 30}' where id = (select id from contact "
						+ "where contact_book_id = '%s' and subscribed limit 1)",
				this.owner.book);
		Map<String, Object> graz = Map.of("property", "city", "equals", "Graz");
		assertThat(sentWith(graz)).isEqualTo(1);
		assertThat(sentWith(Map.of("all", List.of(graz, Map.of("property", "age", "equals", 30))))).isEqualTo(1);
		assertThat(
				sentWith(Map.of("any", List.of(graz, Map.of("created_at", Map.of("after", "2020-01-01T00:00:00Z"))))))
			.isEqualTo(2);
		awaitRefusal("Contact book is empty", this.campaigns.start(this.owner.scope,
				campaign(Map.of("created_at", Map.of("before", "2020-01-01T00:00:00Z")), null)));
		awaitRefusal("Invalid request data",
				this.campaigns.create(this.owner.scope, form(Map.of("city", "Graz"), null)));
	}

	@Test
	void aPaceSpreadsTheMailsOverTime() {
		UUID id = started(null, 6);
		assertThat(step(id)).isEqualTo(new CampaignFanOut.Step(1, false));
		assertThat(step(id).mails()).isZero();
		Given.run("update campaign set paced_until = now() where id = '%s'", id);
		assertThat(step(id).mails()).isEqualTo(1);
	}

	@Test
	void aPauseHoldsQueuedMailsAndAResumeMakesThemDueAtOnce() {
		UUID id = started(null, null);
		step(id);
		await(this.campaigns.pause(this.owner.scope, id));
		assertThat(ready(id)).containsOnly("false").hasSize(2);
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(ready(id)).containsOnly("true").hasSize(2);
		assertThat(events(id)).containsExactly("campaign.started", "campaign.paused", "campaign.resumed");
	}

	@Test
	void theSubjectAndTheMergeValuesAreThoseOfTheContact() {
		Given.run("update contact set first_name = 'Ann', last_name = 'Lee', email = 'ann@x.test', "
				+ "properties = '{\"city\": \"Graz\", \"age\": 30, \"unused\": 1}' where contact_book_id = '%s' "
				+ "and id = (select id from contact where contact_book_id = '%1$s' and subscribed limit 1)",
				this.owner.book);
		Campaign.Form form = new Campaign.Form("n", "ann@" + this.owner.domain + ".test", List.of(),
				"Hello {{first_name|friend}}", this.owner.book, null, "<p>{{last_name}} {{age}}</p>",
				"{{email}} {{city}} {{unsubscribe_url}} {{none|-}}", null);
		UUID id = await(this.campaigns.create(this.owner.scope, form)).id();
		await(this.campaigns.start(this.owner.scope, id));
		step(id);
		assertThat(Given.rows("select subject from email where campaign_id = '%s'", id))
			.containsExactlyInAnyOrder("Hello Ann", "Hello friend");
		assertThat(Given.rows("select jsonb_pretty(merge) from campaign_recipient join email on email.id = email_id "
				+ "where email.campaign_id = '%s' and subject = 'Hello Ann'", id))
			.containsExactly("""
					{
					    "age": "30",
					    "city": "Graz",
					    "email": "ann@x.test",
					    "last_name": "Lee",
					    "first_name": "Ann"
					}""");
	}

	private int sentWith(Map<String, Object> filter) {
		UUID id = started(filter, null);
		int mails = step(id).mails();
		assertThat(await(this.campaigns.find(this.owner.scope, id)).totalContacts()).isEqualTo(mails);
		return mails;
	}

	private UUID started(@Nullable Map<String, Object> filter, @Nullable Integer pace) {
		UUID id = campaign(filter, pace);
		await(this.campaigns.start(this.owner.scope, id));
		return id;
	}

	private UUID campaign(@Nullable Map<String, Object> filter, @Nullable Integer pace) {
		return await(this.campaigns.create(this.owner.scope, form(filter, pace))).id();
	}

	private Campaign.Form form(@Nullable Map<String, Object> filter, @Nullable Integer pace) {
		return new Campaign.Form("n", "Ann <ann@" + this.owner.domain + ".test>", List.of(), "The subject",
				this.owner.book, null, null, "Hello", null, filter, pace);
	}

	private CampaignFanOut.Step step(UUID id) {
		return this.fanOut.next(running(id, false));
	}

	private void steps(UUID id, int count) {
		for (int i = 0; i < count; i++) {
			step(id);
		}
	}

	private CampaignFanOut.Running running(UUID id, boolean fannedOut) {
		Scope scope = this.owner.scope;
		return new CampaignFanOut.Running(id, scope.account(), fannedOut);
	}

	private String used() {
		return Given
			.rows("select used from quota_use where account_id = '%s' and period = 'day'", this.owner.scope.account())
			.getFirst();
	}

	private void contacts(int count) {
		Given.run("insert into contact (id, account_id, contact_book_id, email, email_key, created_at, updated_at) "
				+ "select gen_random_uuid(), '%1$s', '%2$s', number || '@x.test', number || '@x.test', now(), now() "
				+ "from generate_series(1, %3$d) as number", this.owner.scope.account(), this.owner.book, count);
	}

	private static List<String> selected(UUID id) {
		return Given.rows("select contact_id from campaign_audience where campaign_id = '%s'", id);
	}

	private static boolean isFannedOut(UUID id) {
		return Given.rows("select fanned_out_at is not null from campaign where id = '%s'", id).contains("t");
	}

	private static List<String> ready(UUID id) {
		return Given.rows("select ready and due_at <= now() from queue where campaign_id = '%s'", id)
			.stream()
			.map((value) -> value.equals("t") ? "true" : "false")
			.toList();
	}

}
