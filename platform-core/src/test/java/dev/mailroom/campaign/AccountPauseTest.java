package dev.mailroom.campaign;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

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
		await(Flux.range(0, 4)
			.flatMap((_) -> this.autoPause.pauseRiskyAccounts().subscribeOn(Schedulers.parallel()))
			.collectList());
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
		await(this.autoPause.pauseRiskyAccounts());
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
			await(Flux.just(start, resume, this.runs.startDue(), this.autoPause.pauseRiskyAccounts())
				.flatMap((work) -> work.subscribeOn(Schedulers.parallel()))
				.then(Mono.just(true)));
			await(this.runs.startDue());
			assertThat(Given.rows("select paused_reason from account where id = '%s'", sender.scope.account()))
				.doesNotContain("null");
			assertThat(Stream.of(draft, paused, due)).flatMap((id) -> status(id)).doesNotContain("running");
		}
	}

	private static void exceedBounceRate(Owner owner) {
		Given.run(
				"insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced) "
						+ "values ('%s', '%s', (now() at time zone 'UTC')::date, 100, 100)",
				owner.scope.account(), owner.domain);
	}

}
