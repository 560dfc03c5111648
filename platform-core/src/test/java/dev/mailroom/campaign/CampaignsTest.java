package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.WithCore;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.isEmpty;
import static dev.mailroom.campaign.Owner.contact;
import static dev.mailroom.campaign.Owner.events;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class CampaignsTest {

	private static final Page.Request FIRST_PAGE = new Page.Request(1, 20);

	@Autowired
	Campaigns campaigns;

	@Autowired
	Templates templates;

	@Autowired
	ContactBooks books;

	private final Owner owner = new Owner();

	@Test
	void aCreatedCampaignHasTheRequestedFields() {
		Campaign created = await(
				this.campaigns.create(this.owner.scope, this.owner.form("Spring", null, "Hello", null)));
		assertThat(created.status()).isEqualTo(CampaignStatus.DRAFT);
		assertThat(created.name()).isEqualTo("Spring");
		assertThat(created.textContent()).isEqualTo("Hello");
		assertThat(created.sender()).isEqualTo("Ann <ann@" + this.owner.domain + ".test>");
		assertThat(created.fromEmail()).isEqualTo("ann@" + this.owner.domain + ".test");
		assertThat(created.contactBookName()).isEqualTo("Friends");
		assertThat(created.totalContacts()).isEqualTo(3);
		assertThat(await(this.campaigns.find(this.owner.scope, created.id()))).isEqualTo(created);
	}

	@Test
	void aCampaignCreatedWithATimeIsScheduled() {
		String inAnHour = Instant.now().plusSeconds(3600).toString();
		assertThat(await(this.campaigns.create(this.owner.scope, this.owner.form("Spring", null, "Hello", inAnHour)))
			.status()).isEqualTo(CampaignStatus.SCHEDULED);
	}

	@Test
	void aCampaignOutlivesItsTemplateAndItsContactBook() {
		Template template = template("Short-lived");
		UUID id = create(template);
		assertThat(isEmpty(this.templates.delete(this.owner.scope, template.id()))).isTrue();
		assertThat(await(this.campaigns.start(this.owner.scope, id)).textContent()).isEqualTo("first");
		UUID draft = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		assertThat(isEmpty(this.books.delete(this.owner.scope, this.owner.book))).isTrue();
		assertThat(await(this.campaigns.find(this.owner.scope, draft)).contactBookName()).isEqualTo("Friends");
		awaitRefusal("Contact book is empty", this.campaigns.start(this.owner.scope, draft));
		assertThat(status(draft)).containsExactly("draft");
	}

	@Test
	void contentAndNumberOfContactsAreFixedAtTheStart() {
		Template template = template("Offer");
		UUID id = create(template);
		changeText(template, "second");
		assertThat(await(this.campaigns.find(this.owner.scope, id)).textContent()).isEqualTo("second");
		Campaign started = await(this.campaigns.start(this.owner.scope, id));
		assertThat(started.totalContacts()).as("subscribed contacts").isEqualTo(2);
		changeText(template, "third");
		contact(this.owner.scope, this.owner.book, true);
		Campaign running = await(this.campaigns.find(this.owner.scope, id));
		assertThat(running.textContent()).isEqualTo("second");
		assertThat(running.totalContacts()).isEqualTo(2);
		assertThat(events(id)).containsExactly("campaign.started");
	}

	@Test
	void settingATimeSchedulesADraftAndRemovingItMakesItADraftAgain() {
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		String inAnHour = Instant.now().plusSeconds(3600).toString();
		Campaign scheduled = await(
				this.campaigns.update(this.owner.scope, id, (_) -> this.owner.form("a", null, "t", inAnHour)));
		assertThat(scheduled.status()).isEqualTo(CampaignStatus.SCHEDULED);
		Campaign draft = await(
				this.campaigns.update(this.owner.scope, id, (_) -> this.owner.form("a", null, "t", null)));
		assertThat(draft.status()).isEqualTo(CampaignStatus.DRAFT);
		assertThat(draft.sendAt()).isNull();
	}

	@Test
	void afterTheFirstStartOnlyNameAndTimeCanBeEdited() {
		UUID id = this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		await(this.campaigns.start(this.owner.scope, id));
		await(this.campaigns.pause(this.owner.scope, id));
		await(this.campaigns.schedule(this.owner.scope, id, Instant.now().plusSeconds(60).toString()));
		awaitRefusal("Can only rename or move campaigns that have started", this.campaigns.update(this.owner.scope, id,
				(form) -> this.owner.form("New", null, "Other", form.sendAt())));
		Campaign renamed = await(this.campaigns.update(this.owner.scope, id,
				(form) -> new Campaign.Form("New", form.from(), form.replyTo(), form.subject(), form.contactBookId(),
						form.templateId(), form.htmlContent(), form.textContent(), null)));
		assertThat(renamed.name()).isEqualTo("New");
		assertThat(renamed.status()).isEqualTo(CampaignStatus.DRAFT);
		assertThat(await(this.campaigns.start(this.owner.scope, id)).totalContacts()).isEqualTo(2);
	}

	@Test
	void aSearchMatchesLiterallyAndRegardlessOfCase() {
		for (String name : List.of("100% off", "100 off", "a_b", "aXb", "back\\slash")) {
			await(this.campaigns.create(this.owner.scope, this.owner.form(name, null, "t", null)));
		}
		assertThat(search("0%")).containsExactly("100% off");
		assertThat(search("A_B")).containsExactly("a_b");
		assertThat(search("\\")).containsExactly("back\\slash");
		assertThat(search("SUBJECT")).hasSize(5);
		assertThat(search(" ")).hasSize(5);
		assertThat(search("\0")).isEmpty();
	}

	@Test
	void aListCanBeFilteredByStatus() {
		this.owner.campaign(this.campaigns, CampaignStatus.DRAFT);
		UUID sent = this.owner.campaign(this.campaigns, CampaignStatus.SENT);
		Page<Campaign.Listed> page = await(
				this.campaigns.list(this.owner.scope, Campaign.Filter.of(CampaignStatus.SENT, null), FIRST_PAGE));
		assertThat(page.items()).extracting(Campaign.Listed::id).containsExactly(sent);
		assertThat(page.items()).extracting(Campaign.Listed::status).containsExactly(CampaignStatus.SENT);
		assertThat(page.total()).isEqualTo(1);
	}

	private List<String> search(String search) {
		Page<Campaign.Listed> page = await(
				this.campaigns.list(this.owner.scope, Campaign.Filter.of(CampaignStatus.DRAFT, search), FIRST_PAGE));
		assertThat(page.total()).isEqualTo(page.items().size());
		return page.items().stream().map(Campaign.Listed::name).toList();
	}

	private UUID create(Template template) {
		return await(this.campaigns.create(this.owner.scope, this.owner.form(this.owner.book, template.id(), null)))
			.id();
	}

	private Template template(String name) {
		return await(this.templates.create(this.owner.scope, new Template.Form(name, null, null, "first")));
	}

	private void changeText(Template template, String text) {
		await(this.templates.update(this.owner.scope, template.id(),
				(it) -> new Template.Form(it.name(), null, null, text)));
	}

}
