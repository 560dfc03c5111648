package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.CoreTest;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.campaign.Owner.contact;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.refused;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class CampaignTest {

	private static final Page.Request FIRST = new Page.Request(1, 20);

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignTransitions course;

	@Autowired
	Templates templates;

	@Autowired
	ContactBooks books;

	private final Owner owner = new Owner();

	@Test
	void aCampaignIsKeptAsItWasAskedFor() {
		Campaign made = await(this.campaigns.create(this.owner.scope, this.owner.asked("Spring", null, "Hello", null)));
		assertThat(made.status()).isEqualTo(Status.DRAFT);
		assertThat(made.sender()).isEqualTo("Ann <ann@" + this.owner.domain + ".test>");
		assertThat(made.fromEmail()).isEqualTo("ann@" + this.owner.domain + ".test");
		assertThat(made.contactBookName()).isEqualTo("Friends");
		assertThat(made.totalContacts()).isEqualTo(3);
		assertThat(await(this.campaigns.find(this.owner.scope, made.id()))).isEqualTo(made);
		Instant later = Instant.now().plusSeconds(3600);
		assertThat(await(
				this.campaigns.create(this.owner.scope, this.owner.asked("Spring", null, "Hello", later.toString())))
			.status()).isEqualTo(Status.SCHEDULED);
	}

	@Test
	void aCampaignOutlivesItsTemplateAndItsBook() {
		Template template = template(this.owner.scope, "Gone");
		UUID id = await(this.campaigns.create(this.owner.scope, this.owner.asked(this.owner.book, template.id(), null)))
			.id();
		await(this.templates.delete(this.owner.scope, template.id()).thenReturn(true));
		assertThat(await(this.course.start(this.owner.scope, id)).textContent()).isEqualTo("first");
		UUID draft = this.owner.campaign(this.campaigns, Status.DRAFT);
		await(this.books.delete(this.owner.scope, this.owner.book).thenReturn(true));
		assertThat(await(this.campaigns.find(this.owner.scope, draft)).contactBookName()).isEqualTo("Friends");
		refused("Contact book is empty", this.course.start(this.owner.scope, draft));
		assertThat(status(draft)).containsExactly("draft");
	}

	@Test
	void whatACampaignSaysAndHowManyItGoesToAreFixedWhenItStarts() {
		Template template = template(this.owner.scope, "Offer");
		UUID id = await(this.campaigns.create(this.owner.scope, this.owner.asked(this.owner.book, template.id(), null)))
			.id();
		retell(template, "second");
		assertThat(await(this.campaigns.find(this.owner.scope, id)).textContent()).isEqualTo("second");
		Campaign started = await(this.course.start(this.owner.scope, id));
		assertThat(started.totalContacts()).as("those who are subscribed").isEqualTo(2);
		retell(template, "third");
		contact(this.owner.scope, this.owner.book, true);
		Campaign running = await(this.campaigns.find(this.owner.scope, id));
		assertThat(running.textContent()).isEqualTo("second");
		assertThat(running.totalContacts()).isEqualTo(2);
		assertThat(events(id)).containsExactly("campaign.started");
	}

	@Test
	void aTimeMakesADraftScheduledAndItsLackTheReverse() {
		UUID id = this.owner.campaign(this.campaigns, Status.DRAFT);
		String later = Instant.now().plusSeconds(3600).toString();
		assertThat(await(this.campaigns.update(this.owner.scope, id, (_) -> this.owner.asked("a", null, "t", later)))
			.status()).isEqualTo(Status.SCHEDULED);
		assertThat(await(this.campaigns.update(this.owner.scope, id, (_) -> this.owner.asked("a", null, "t", null)))
			.status()).isEqualTo(Status.DRAFT);
	}

	@Test
	void aSearchIsTakenLiterally() {
		for (String name : List.of("100% off", "100 off", "a_b", "aXb", "back\\slash")) {
			await(this.campaigns.create(this.owner.scope, this.owner.asked(name, null, "t", null)));
		}
		assertThat(found("0%")).containsExactly("100% off");
		assertThat(found("A_B")).containsExactly("a_b");
		assertThat(found("\\")).containsExactly("back\\slash");
		assertThat(found("SUBJECT")).hasSize(5);
		assertThat(found(" ")).hasSize(5);
		assertThat(found("\0")).isEmpty();
		assertThat(await(this.campaigns.list(this.owner.scope, Campaign.Filter.of(Status.SENT, null), FIRST)).total())
			.isZero();
	}

	private List<String> found(String search) {
		Page<Campaign.Listed> page = await(
				this.campaigns.list(this.owner.scope, Campaign.Filter.of(Status.DRAFT, search), FIRST));
		assertThat(page.total()).isEqualTo(page.items().size());
		return page.items().stream().map(Campaign.Listed::name).toList();
	}

	private Template template(Scope scope, String name) {
		return await(this.templates.create(scope, new Template.Asked(name, null, null, "first")));
	}

	private void retell(Template template, String text) {
		await(this.templates.update(this.owner.scope, template.id(),
				(it) -> new Template.Asked(it.name(), null, null, text)));
	}

}
