package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.campaign.Owner.book;
import static dev.mailroom.campaign.Owner.contact;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.refused;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class CampaignTransitionsTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignTransitions course;

	@Autowired
	Templates templates;

	private final Owner owner = new Owner();

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void anActMovesACampaignFromItsStatesAndFromNoOther(CampaignAction act) {
		for (Status status : Status.values()) {
			UUID id = this.owner.campaign(this.campaigns, status);
			if (act.fits(status)) {
				await(act(this.owner.scope, act, id).thenReturn(true));
				assertThat(status(id)).isEqualTo(switch (act) {
					case EDIT -> List.of(status.wire());
					case SCHEDULE -> List.of("scheduled");
					case UNSCHEDULE -> List.of("draft");
					case START, RESUME -> List.of("running");
					case PAUSE -> List.of("paused");
					case DELETE -> List.of();
				});
			}
			else {
				refused(act.refused(id, status).refusal().error(), act(this.owner.scope, act, id));
				assertThat(status(id)).containsExactly(status.wire());
			}
		}
	}

	@Test
	void whatIsNotTheAccountsIsRefused() {
		Scope other = Scope.of(Given.account("pro"));
		UUID foreignBook = book(other);
		UUID foreignTemplate = await(this.templates.create(other, new Template.Asked("Theirs", null, null, "t"))).id();
		refused("Contact book not found",
				this.campaigns.create(this.owner.scope, this.owner.asked(foreignBook, null, "Hello")));
		refused("Contact book not found",
				this.campaigns.create(this.owner.scope, this.owner.asked(UUID.randomUUID(), null, "Hello")));
		refused("Template not found",
				this.campaigns.create(this.owner.scope, this.owner.asked(this.owner.book, foreignTemplate, null)));
		refused("From domain mismatch", this.campaigns.create(other, new Campaign.Asked("n",
				"a@" + this.owner.domain + ".test", null, "s", foreignBook, null, null, "t", null)));
		UUID id = this.owner.campaign(this.campaigns, Status.DRAFT);
		refused("Campaign not found", this.campaigns.find(other, id));
		refused("Campaign not found", this.campaigns.update(other, id, (it) -> it));
		refused("Campaign not found", this.campaigns.delete(other, id));
		for (CampaignAction act : CampaignAction.values()) {
			refused("Campaign not found", act(other, act, id));
			refused("Campaign not found", act(this.owner.scope, act, UUID.randomUUID()));
		}
	}

	@ParameterizedTest
	@CsvSource({ "PAUSE,RUNNING", "RESUME,PAUSED", "START,DRAFT", "SCHEDULE,PAUSED", "UNSCHEDULE,SCHEDULED" })
	void ofManyWhoMoveACampaignAtOnceOneWins(CampaignAction act, Status from) {
		UUID id = this.owner.campaign(this.campaigns, from);
		List<String> outcomes = await(Flux.range(0, 32)
			.flatMap((_) -> act(this.owner.scope, act, id).map((_) -> "moved")
				.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error()))
				.subscribeOn(Schedulers.parallel()), 32)
			.collectList());
		assertThat(outcomes).containsOnlyOnce("moved").hasSize(32);
		assertThat(outcomes).filteredOn((it) -> !it.equals("moved"))
			.containsOnly(act.refused(id, from).refusal().error());
	}

	@Test
	void whoMayNotSendMayNotStart() {
		UUID id = this.owner.campaign(this.campaigns, Status.DRAFT);
		Given.run("update account set paused_reason = 'spam' where id = '%s'", this.owner.scope.account());
		refused("Account paused", this.course.start(this.owner.scope, id));
		Given.run("update account set paused_reason = null, email_verified_at = null where id = '%s'",
				this.owner.scope.account());
		refused("Email not verified", this.course.start(this.owner.scope, id));
		Given.run("update account set email_verified_at = now() where id = '%s'", this.owner.scope.account());
		Given.run("update domain set status = 'failed' where id = '%s'", this.owner.domain);
		refused("Domain not verified", this.course.start(this.owner.scope, id));
		Given.domain(this.owner.scope.account());
		refused("From domain mismatch", this.course.start(this.owner.scope, id));
		assertThat(status(id)).containsExactly("draft");
	}

	@Test
	void aPauseAndItsEndAreRecordedAndKeepWhatWasFixed() {
		UUID id = this.owner.campaign(this.campaigns, Status.DRAFT);
		await(this.course.start(this.owner.scope, id));
		await(this.course.pause(this.owner.scope, id));
		contact(this.owner.scope, this.owner.book, true);
		assertThat(await(this.course.resume(this.owner.scope, id)).totalContacts()).isEqualTo(2);
		assertThat(events(id)).containsExactly("campaign.started", "campaign.paused", "campaign.resumed");
		await(this.course.pause(this.owner.scope, id));
		await(this.course.schedule(this.owner.scope, id, Instant.now().plusSeconds(60).toString()));
		refused("Can only rename or move campaigns that have started", this.campaigns.update(this.owner.scope, id,
				(it) -> this.owner.asked("New", null, "Other", it.sendAt())));
		Campaign renamed = await(
				this.campaigns.update(this.owner.scope, id, (it) -> new Campaign.Asked("New", it.from(), it.replyTo(),
						it.subject(), it.contactBookId(), it.templateId(), it.htmlContent(), it.textContent(), null)));
		assertThat(renamed.name()).isEqualTo("New");
		assertThat(renamed.status()).isEqualTo(Status.DRAFT);
		assertThat(await(this.course.start(this.owner.scope, id)).totalContacts()).isEqualTo(2);
	}

	private Mono<?> act(Scope scope, CampaignAction act, UUID id) {
		return switch (act) {
			case EDIT -> this.campaigns.update(scope, id, (it) -> it);
			case SCHEDULE -> this.course.schedule(scope, id, Instant.now().plusSeconds(60).toString());
			case UNSCHEDULE -> this.course.unschedule(scope, id);
			case START -> this.course.start(scope, id);
			case PAUSE -> this.course.pause(scope, id);
			case RESUME -> this.course.resume(scope, id);
			case DELETE -> this.campaigns.delete(scope, id);
		};
	}

}
