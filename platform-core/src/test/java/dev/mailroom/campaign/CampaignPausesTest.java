package dev.mailroom.campaign;

import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.autopause.AutoPause;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.refused;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class CampaignPausesTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignTransitions course;

	@Autowired
	CampaignScheduler timetable;

	@Autowired
	AutoPause conduct;

	private final Owner owner = new Owner();

	@Test
	void theCampaignsThatAPausedAccountRunsArePausedWithTheReasonAndNoOthers() {
		UUID running = this.owner.campaign(this.campaigns, Status.RUNNING);
		UUID second = this.owner.campaign(this.campaigns, Status.RUNNING);
		Owner other = new Owner();
		UUID others = other.campaign(this.campaigns, Status.RUNNING);
		List<UUID> still = Stream.of(Status.DRAFT, Status.SCHEDULED, Status.PAUSED, Status.SENT)
			.map((status) -> this.owner.campaign(this.campaigns, status))
			.toList();
		misbehaved(this.owner);
		await(Flux.range(0, 4).flatMap((_) -> this.conduct.look().subscribeOn(Schedulers.parallel())).collectList());
		for (UUID id : List.of(running, second)) {
			Campaign paused = await(this.campaigns.find(this.owner.scope, id));
			assertThat(paused.status()).isEqualTo(Status.PAUSED);
			assertThat(paused.pausedReason()).startsWith("Sending is paused for this account: 50.0 %");
			assertThat(events(id)).containsExactly("campaign.paused");
		}
		assertThat(
				Given.rows("select data ->> 'paused_reason' from event where data ->> 'id' = '%s'", running).getFirst())
			.startsWith("Sending is paused");
		assertThat(still).flatMap((id) -> status(id)).containsExactly("draft", "scheduled", "paused", "sent");
		assertThat(status(others)).containsExactly("running");
	}

	@Test
	void untilThePauseIsLiftedNothingStartsOrResumesAndThenItsOwnerDecides() {
		UUID running = this.owner.campaign(this.campaigns, Status.RUNNING);
		UUID draft = this.owner.campaign(this.campaigns, Status.DRAFT);
		misbehaved(this.owner);
		await(this.conduct.look());
		refused("Account paused", this.course.resume(this.owner.scope, running));
		refused("Account paused", this.course.start(this.owner.scope, draft));
		await(this.conduct.lift(this.owner.scope));
		assertThat(status(running)).containsExactly("paused");
		assertThat(await(this.course.resume(this.owner.scope, running)).pausedReason()).isNull();
		assertThat(status(running)).containsExactly("running");
		assertThat(await(this.course.start(this.owner.scope, draft)).status()).isEqualTo(Status.RUNNING);
	}

	@Test
	void whateverBeginsWhileItsAccountIsPausedDoesNotGoOnRunning() {
		for (int i = 0; i < 8; i++) {
			Owner sender = new Owner();
			UUID draft = sender.campaign(this.campaigns, Status.DRAFT);
			UUID paused = sender.campaign(this.campaigns, Status.PAUSED);
			UUID due = sender.scheduled(this.campaigns, "1 second");
			misbehaved(sender);
			Mono<?> start = this.course.start(sender.scope, draft).onErrorComplete(Refused.class);
			Mono<?> resume = this.course.resume(sender.scope, paused).onErrorComplete(Refused.class);
			await(Flux.just(start, resume, this.timetable.keep(), this.conduct.look())
				.flatMap((act) -> act.subscribeOn(Schedulers.parallel()))
				.then(Mono.just(true)));
			await(this.timetable.keep());
			assertThat(Given.rows("select paused_reason from account where id = '%s'", sender.scope.account()))
				.doesNotContain("null");
			assertThat(Stream.of(draft, paused, due)).flatMap((id) -> status(id)).doesNotContain("running");
		}
	}

	private static void misbehaved(Owner owner) {
		Given.run(
				"insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced) "
						+ "values ('%s', '%s', (now() at time zone 'UTC')::date, 100, 100)",
				owner.scope.account(), owner.domain);
	}

}
