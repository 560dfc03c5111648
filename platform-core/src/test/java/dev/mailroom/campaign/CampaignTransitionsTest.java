package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
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
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static dev.mailroom.campaign.Owner.book;
import static dev.mailroom.campaign.Owner.contact;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class CampaignTransitionsTest {

	/** The states of a campaign in which each action is permitted. */
	private static final Map<CampaignAction, Set<CampaignStatus>> PERMITTED = Map.of(CampaignAction.EDIT,
			Set.of(CampaignStatus.DRAFT, CampaignStatus.SCHEDULED), CampaignAction.SCHEDULE,
			Set.of(CampaignStatus.DRAFT, CampaignStatus.PAUSED), CampaignAction.UNSCHEDULE,
			Set.of(CampaignStatus.SCHEDULED), CampaignAction.START, Set.of(CampaignStatus.DRAFT), CampaignAction.PAUSE,
			Set.of(CampaignStatus.RUNNING), CampaignAction.RESUME, Set.of(CampaignStatus.PAUSED), CampaignAction.DELETE,
			Set.of(CampaignStatus.DRAFT, CampaignStatus.SCHEDULED, CampaignStatus.PAUSED, CampaignStatus.SENT));

	@Autowired
	Campaigns campaigns;

	@Autowired
	Templates templates;

	private final Owner owner = new Owner();

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void anActionSucceedsInItsPermittedStatesOnly(CampaignAction action) {
		for (CampaignStatus status : CampaignStatus.values()) {
			UUID id = this.owner.campaign(this.campaigns, status);
			if (PERMITTED.get(action).contains(status)) {
				await(perform(this.owner.scope, action, id).thenReturn(true));
				assertThat(status(id)).isEqualTo(switch (action) {
					case EDIT -> List.of(status.contractName());
					case SCHEDULE -> List.of("scheduled");
					case UNSCHEDULE -> List.of("draft");
					case START, RESUME -> List.of("running");
					case PAUSE -> List.of("paused");
					case DELETE -> List.of();
				});
			}
			else {
				awaitRefusal(action.refused(id, status).refusal().error(), perform(this.owner.scope, action, id));
				assertThat(status(id)).containsExactly(status.contractName());
			}
		}
	}

	@ParameterizedTest
	@EnumSource(CampaignAction.class)
	void theRefusalNamesTheStateOfTheCampaign(CampaignAction action) {
		Refused refused = action.refused(UUID.randomUUID(), CampaignStatus.SENT);
		assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
		assertThat(refused.refusal().error()).startsWith("Can only ");
		assertThat(refused.message()).endsWith("is sent");
	}

	@Test
	void onlyTheContractsNamesAreStatuses() {
		for (CampaignStatus status : CampaignStatus.values()) {
			assertThat(CampaignStatus.of(status.contractName())).contains(status);
		}
		assertThat(CampaignStatus.of("Draft")).isEmpty();
		assertThat(CampaignStatus.of("")).isEmpty();
	}

	@Test
	void referencesToOtherAccountsAreNotFound() {
		Scope other = Scope.of(Given.account("pro"));
		UUID foreignBook = book(other);
		UUID foreignTemplate = await(this.templates.create(other, new Template.Form("Theirs", null, null, "t"))).id();
		awaitRefusal("Contact book not found",
				this.campaigns.create(this.owner.scope, this.owner.form(foreignBook, null, "Hello")));
		awaitRefusal("Contact book not found",
				this.campaigns.create(this.owner.scope, this.owner.form(UUID.randomUUID(), null, "Hello")));
		awaitRefusal("Template not found",
				this.campaigns.create(this.owner.scope, this.owner.form(this.owner.book, foreignTemplate, null)));
		awaitRefusal("From domain mismatch", this.campaigns.create(other, new Campaign.Form("n",
				"a@" + this.owner.domain + ".test", null, "s", foreignBook, null, null, "t", null)));
	}

	@Test
	void anotherAccountsCampaignIsNotFound() {
		Scope other = Scope.of(Given.account("pro"));
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		awaitRefusal("Campaign not found", this.campaigns.find(other, id));
		for (CampaignAction action : CampaignAction.values()) {
			awaitRefusal("Campaign not found", perform(other, action, id));
			awaitRefusal("Campaign not found", perform(this.owner.scope, action, UUID.randomUUID()));
		}
		assertThat(status(id)).containsExactly("draft");
	}

	@ParameterizedTest
	@CsvSource({ "PAUSE,RUNNING", "RESUME,PAUSED", "START,DRAFT", "SCHEDULE,PAUSED", "UNSCHEDULE,SCHEDULED" })
	void exactlyOneOfManyConcurrentActionsSucceeds(CampaignAction action, CampaignStatus from) {
		UUID id = this.owner.campaign(this.campaigns, from);
		List<String> results = await(Flux.range(0, 32)
			.flatMap((_) -> errorName(perform(this.owner.scope, action, id)).subscribeOn(Schedulers.parallel()), 32)
			.collectList());
		assertThat(results).containsOnlyOnce("ok").hasSize(32);
		assertThat(results).filteredOn((result) -> !result.equals("ok"))
			.containsOnly(action.refused(id, from).refusal().error());
	}

	@Test
	void aCampaignDoesNotStartWhileItsAccountOrDomainMayNotSend() {
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		Given.run("update account set paused_reason = 'spam' where id = '%s'", this.owner.scope.account());
		awaitRefusal("Account paused", this.campaigns.start(this.owner.scope, id));
		Given.run("update account set paused_reason = null, email_verified_at = null where id = '%s'",
				this.owner.scope.account());
		awaitRefusal("Email not verified", this.campaigns.start(this.owner.scope, id));
		Given.run("update account set email_verified_at = now() where id = '%s'", this.owner.scope.account());
		Given.run("update domain set status = 'failed' where id = '%s'", this.owner.domain);
		awaitRefusal("Domain not verified", this.campaigns.start(this.owner.scope, id));
		Given.domain(this.owner.scope.account());
		awaitRefusal("From domain mismatch", this.campaigns.start(this.owner.scope, id));
		assertThat(status(id)).containsExactly("draft");
	}

	@Test
	void pauseAndResumeAreRecordedAndKeepTheNumberOfContacts() {
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		await(this.campaigns.start(this.owner.scope, id));
		await(this.campaigns.pause(this.owner.scope, id));
		contact(this.owner.scope, this.owner.book, true);
		assertThat(await(this.campaigns.resume(this.owner.scope, id)).totalContacts()).isEqualTo(2);
		assertThat(events(id)).containsExactly("campaign.started", "campaign.paused", "campaign.resumed");
	}

	private Mono<?> perform(Scope scope, CampaignAction action, UUID id) {
		return switch (action) {
			case EDIT -> this.campaigns.update(scope, id, (form) -> form);
			case SCHEDULE -> this.campaigns.schedule(scope, id, Instant.now().plusSeconds(60).toString());
			case UNSCHEDULE -> this.campaigns.unschedule(scope, id);
			case START -> this.campaigns.start(scope, id);
			case PAUSE -> this.campaigns.pause(scope, id);
			case RESUME -> this.campaigns.resume(scope, id);
			case DELETE -> this.campaigns.delete(scope, id);
		};
	}

}
