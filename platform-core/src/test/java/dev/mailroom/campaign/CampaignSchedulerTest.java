package dev.mailroom.campaign;

import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class CampaignSchedulerTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignTransitions course;

	@Autowired
	CampaignScheduler timetable;

	private final Owner owner = new Owner();

	@Test
	void scheduledCampaignsRunWhenTheirTimeHasCome() {
		UUID due = this.owner.scheduled(this.campaigns, "1 second");
		UUID early = this.owner.scheduled(this.campaigns, "-1 hour");
		UUID late = this.owner.scheduled(this.campaigns, "25 hours");
		UUID other = this.owner.scheduled(this.campaigns, Scope.of(Given.account("pro")), "1 second");
		await(this.timetable.keep());
		assertThat(status(due)).containsExactly("running");
		assertThat(events(due)).containsExactly("campaign.started");
		assertThat(await(this.campaigns.find(this.owner.scope, due)).totalContacts()).isEqualTo(2);
		assertThat(status(early)).containsExactly("scheduled");
		assertThat(status(late)).containsExactly("paused");
		assertThat(events(late)).containsExactly("campaign.paused");
		assertThat(await(this.campaigns.find(this.owner.scope, late)).pausedReason()).contains("24 hours");
		assertThat(Given.rows("select paused_reason from campaign where id = '%s'", other).getFirst())
			.contains("domain");
		assertThat(await(this.course.resume(this.owner.scope, late)).pausedReason()).isNull();
		assertThat(events(late)).containsExactly("campaign.paused", "campaign.started");
	}

	@Test
	void manyWhoKeepTheTimeStartACampaignOnce() {
		UUID id = this.owner.scheduled(this.campaigns, "1 second");
		await(Flux.range(0, 16).flatMap((_) -> this.timetable.keep().subscribeOn(Schedulers.parallel())).collectList());
		assertThat(status(id)).containsExactly("running");
		assertThat(events(id)).containsExactly("campaign.started");
	}

}
