package dev.mailroom.campaign;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.WithCore;
import dev.mailroom.operator.AutoPause;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AccountPauseTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignRuns runs;

	@Autowired
	AutoPause autoPause;

	private final Owner owner = new Owner();

	@Test
	void pausingAnAccountPausesItsRunningCampaignsWithTheReasonAndNoOthers() {
		UUID first = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		UUID second = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		UUID foreign = new Owner().campaign(this.campaigns, CampaignStatus.RUNNING);
		List<UUID> notRunning = Stream
			.of(CampaignStatus.DRAFT, CampaignStatus.SCHEDULED, CampaignStatus.PAUSED, CampaignStatus.SENT)
			.map((status) -> this.owner.campaign(this.campaigns, status))
			.toList();
		exceedBounceRate(this.owner);
		Await.together(4, (_) -> this.autoPause.pauseRiskyAccounts());
		for (UUID id : List.of(first, second)) {
			Campaign paused = await(this.campaigns.find(this.owner.scope, id));
			assertThat(paused.status()).isEqualTo(CampaignStatus.PAUSED);
			assertThat(paused.pausedReason()).startsWith("Sending is paused for this account: 50.0 %");
			assertThat(events(id)).containsExactly("campaign.paused");
		}
		assertThat(
				Given.rows("select data ->> 'paused_reason' from event where data ->> 'id' = '%s'", first).getFirst())
			.startsWith("Sending is paused");
		assertThat(notRunning).flatMap((id) -> status(id)).containsExactly("draft", "scheduled", "paused", "sent");
		assertThat(status(foreign)).containsExactly("running");
	}

	@Test
	void campaignsOfAPausedAccountNeitherStartNorResumeAndStayPausedWhenItIsLifted() {
		UUID running = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		UUID draft = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		exceedBounceRate(this.owner);
		this.autoPause.pauseRiskyAccounts();
		awaitRefusal("Account paused", this.campaigns.resume(this.owner.scope, running));
		awaitRefusal("Account paused", this.campaigns.start(this.owner.scope, draft));
		await(this.autoPause.lift(this.owner.scope));
		assertThat(status(running)).containsExactly("paused");
		assertThat(await(this.campaigns.resume(this.owner.scope, running)).pausedReason()).isNull();
		assertThat(status(running)).containsExactly("running");
		assertThat(await(this.campaigns.start(this.owner.scope, draft)).status()).isEqualTo(CampaignStatus.RUNNING);
	}

	@Test
	void noCampaignThatStartsDuringTheAccountsPauseGoesOnRunning() {
		for (int i = 0; i < 8; i++) {
			Owner sender = new Owner();
			UUID draft = sender.campaign(this.campaigns, CampaignStatus.DRAFT);
			UUID paused = sender.campaign(this.campaigns, CampaignStatus.PAUSED);
			UUID due = sender.scheduled(this.campaigns, "1 second");
			exceedBounceRate(sender);
			Mono<?> start = this.campaigns.start(sender.scope, draft).onErrorComplete(Refused.class);
			Mono<?> resume = this.campaigns.resume(sender.scope, paused).onErrorComplete(Refused.class);
			await(Flux
				.just(start, resume, Mono.fromCallable(this.runs::startDue),
						Mono.fromCallable(this.autoPause::pauseRiskyAccounts))
				.flatMap((work) -> work.subscribeOn(Schedulers.boundedElastic()))
				.then(Mono.just(true)));
			this.runs.startDue();
			assertThat(Given.rows("select paused_reason from account where id = '%s'", sender.scope.account()))
				.doesNotContain("null");
			assertThat(Stream.of(draft, paused, due)).flatMap((id) -> status(id)).doesNotContain("running");
		}
	}

	@Test
	void aPauseOfTheAccountLocksMailsOfAllCampaignsInTheOrderOfTheFence() {
		UUID one = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		UUID other = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		String rest = one.toString().substring(1);
		queued(UUID.fromString("1" + rest), one);
		queued(UUID.fromString("2" + rest), other);
		queued(UUID.fromString("3" + rest), one);
		CompletableFuture<Boolean> suspended;
		Given.run("begin; select from queue where id = '2%s' for update", rest);
		try {
			suspended = this.autoPause.suspend(this.owner.scope, "spam").toFuture();
			Given.untilBlocking("the pause waits for the second mail");
			assertThat(Given.rows("select id from queue where account_id = '%s' order by id for update skip locked",
					this.owner.scope.account()))
				.as("the pause has locked the first mail only")
				.containsExactly("2" + rest, "3" + rest);
		}
		finally {
			Given.run("rollback");
		}
		assertThat(await(Mono.fromFuture(suspended))).isTrue();
		assertThat(Given.rows("select held from queue where account_id = '%s'", this.owner.scope.account()))
			.containsExactly("campaign", "campaign", "campaign");
	}

	@Test
	void mailThatIsLeasedWhileAnAccountIsPausedIsHeldWhenThePauseReturns() {
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		UUID early = UUID.randomUUID();
		UUID late = UUID.randomUUID();
		queued(early, id);
		queued(late, id);
		Given.run("update queue set ready = false where id = '%s'", late);
		CompletableFuture<Boolean> suspended;
		Given.run("begin; select from queue where id = '%s' for update", early);
		try {
			suspended = this.autoPause.suspend(this.owner.scope, "spam").toFuture();
			Given.untilBlocking("the pause waits for the mail that it holds");
			Given.run("update queue set ready = true, epoch = 7 where id = '%s'", late);
		}
		finally {
			Given.run("commit");
		}
		assertThat(await(Mono.fromFuture(suspended))).isTrue();
		assertThat(Given.rows("select held || ' ' || epoch from queue where id = '%s'", late))
			.containsExactly("campaign 8");
	}

	@Test
	void anAccountThatCannotBePausedDoesNotKeepOthersFromIt() {
		List<Owner> owners = List.of(new Owner(), new Owner(), new Owner());
		owners.forEach(AccountPauseTest::exceedBounceRate);
		UUID failing = owners.get(1).scope.account();
		Given.run("create function refuse_pause() returns trigger language plpgsql as "
				+ "$$begin raise exception 'no' using errcode = '23514'; end$$");
		Given.run("create trigger refuse_pause before update on account for each row when (new.id = '%s') "
				+ "execute function refuse_pause()", failing);
		try {
			this.autoPause.pauseRiskyAccounts();
			assertThat(owners.stream().filter(AccountPauseTest::isPaused)).containsExactly(owners.get(0),
					owners.get(2));
		}
		finally {
			Given.run("drop trigger refuse_pause on account; drop function refuse_pause()");
		}
		this.autoPause.pauseRiskyAccounts();
		assertThat(isPaused(owners.get(1))).isTrue();
	}

	private static boolean isPaused(Owner owner) {
		return Given.rows("select paused_reason is not null from account where id = '%s'", owner.scope.account())
			.contains("t");
	}

	private void queued(UUID id, UUID campaign) {
		Given.run(
				"insert into queue (id, account_id, email_id, recipient, destination, campaign, campaign_id, ready, "
						+ "due_at) values ('%1$s', '%2$s', '%1$s', 'b@c.test', 'c.test', true, '%3$s', true, now())",
				id, this.owner.scope.account(), campaign);
	}

	private static void exceedBounceRate(Owner owner) {
		Given.run(
				"insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced) "
						+ "values ('%s', '%s', (now() at time zone 'UTC')::date, 100, 100)",
				owner.scope.account(), owner.domain);
	}

}
