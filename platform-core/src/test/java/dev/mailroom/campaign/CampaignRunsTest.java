package dev.mailroom.campaign;

import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class CampaignRunsTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignRuns runs;

	private final Owner owner = new Owner();

	@Test
	void dueCampaignsStartAndLaterOnesStayScheduled() {
		UUID due = this.owner.scheduled(this.campaigns, "1 second");
		UUID future = this.owner.scheduled(this.campaigns, "-1 hour");
		assertThat(this.runs.startDue()).isPositive();
		assertThat(status(due)).containsExactly("running");
		assertThat(events(due)).containsExactly("campaign.started");
		assertThat(await(this.campaigns.find(this.owner.scope, due)).totalContacts()).isEqualTo(2);
		assertThat(status(future)).containsExactly("scheduled");
		assertThat(events(future)).isEmpty();
	}

	@Test
	void aCampaignThatIsTooLateIsPausedAndCanBeResumed() {
		UUID late = this.owner.scheduled(this.campaigns, "25 hours");
		this.runs.startDue();
		assertThat(status(late)).containsExactly("paused");
		assertThat(await(this.campaigns.find(this.owner.scope, late)).pausedReason()).contains("24 hours");
		assertThat(await(this.campaigns.resume(this.owner.scope, late)).pausedReason()).isNull();
		assertThat(events(late)).containsExactly("campaign.paused", "campaign.started");
	}

	@Test
	void aCampaignWhoseDomainIsNoLongerVerifiedIsPausedWithThatReason() {
		UUID id = this.owner.scheduled(this.campaigns, "1 second");
		Given.run("update domain set status = 'failed' where id = '%s'", this.owner.domain);
		this.runs.startDue();
		assertThat(status(id)).containsExactly("paused");
		assertThat(await(this.campaigns.find(this.owner.scope, id)).pausedReason()).contains("domain");
	}

	@Test
	void aCampaignThatRanBeforeIsResumedWhenItIsDue() {
		UUID id = this.owner.scheduled(this.campaigns, "1 second");
		Given.run("update campaign set started_at = now(), total_contacts = 7 where id = '%s'", id);
		this.runs.startDue();
		assertThat(events(id)).containsExactly("campaign.resumed");
		assertThat(await(this.campaigns.find(this.owner.scope, id)).totalContacts()).isEqualTo(7);
	}

	@Test
	void aCampaignThatFailsToStartDoesNotStopTheOthers() {
		UUID before = this.owner.scheduled(this.campaigns, "2 seconds");
		UUID failing = this.owner.scheduled(this.campaigns, "1 second");
		UUID after = new Owner().scheduled(this.campaigns, "1 millisecond");
		// Its lateness does not fit into a number, so that reading it is an error.
		Given.run("update campaign set send_at = '-infinity' where id = '%s'", failing);
		try {
			this.runs.startDue();
			assertThat(status(before)).containsExactly("running");
			assertThat(status(failing)).containsExactly("scheduled");
			assertThat(events(failing)).isEmpty();
			assertThat(status(after)).containsExactly("running");
			Given.run("update campaign set send_at = now() where id = '%s'", failing);
			this.runs.startDue();
			assertThat(status(failing)).containsExactly("running");
		}
		finally {
			Given.run("delete from campaign where id = '%s'", failing);
		}
	}

	@Test
	void concurrentSchedulersStartACampaignOnce() {
		UUID id = this.owner.scheduled(this.campaigns, "1 second");
		await(Flux.range(0, 16)
			.flatMap((_) -> Mono.fromCallable(this.runs::startDue).subscribeOn(Schedulers.boundedElastic()))
			.collectList());
		assertThat(status(id)).containsExactly("running");
		assertThat(events(id)).containsExactly("campaign.started");
	}

	@Test
	void waitingMailsBeyondALimitFollowAPauseAResumeAndADeletionStepByStep() {
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.RUNNING);
		Given.run("insert into queue (id, account_id, email_id, recipient, destination, campaign, campaign_id, ready, "
				+ "due_at) select gen_random_uuid(), '%s', gen_random_uuid(), 'b@c.test', 'c.test', true, '%s', true, "
				+ "now() from generate_series(1, 11_000)", this.owner.scope.account(), id);
		await(this.campaigns.pause(this.owner.scope, id));
		assertThat(ready(id)).isBetween(900L, 1000L);
		assertThat(this.runs.followUp()).isPositive();
		assertThat(ready(id)).isZero();
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(ready(id)).isEqualTo(5000);
		assertThat(this.runs.followUp()).isEqualTo(5000);
		assertThat(this.runs.followUp()).isEqualTo(1000);
		assertThat(ready(id)).isEqualTo(11_000);
		await(this.campaigns.pause(this.owner.scope, id));
		await(this.campaigns.delete(this.owner.scope, id).thenReturn(true));
		this.runs.followUp();
		assertThat(ready(id)).isEqualTo(11_000);
		assertThat(this.runs.followUp()).isZero();
		assertThat(Given.rows("select campaign_id from campaign_follow_up where campaign_id = '%s'", id)).isEmpty();
		Given.run("delete from queue where campaign_id = '%s'", id);
	}

	private static long ready(UUID campaign) {
		return Given.rows("select id from queue where campaign_id = '%s' and ready", campaign).size();
	}

}
