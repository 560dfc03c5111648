package dev.mailroom.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.contact.ContactBooks;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class CampaignTest {

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	private static final Page.Request FIRST = new Page.Request(1, 20);

	@Autowired
	Campaigns campaigns;

	@Autowired
	Course course;

	@Autowired
	Timetable timetable;

	@Autowired
	Templates templates;

	@Autowired
	ContactBooks books;

	private final Scope scope = Scope.of(Given.account("pro"));

	private final UUID domain = Given.domain(this.scope.account());

	private final UUID book = book(this.scope);

	@Test
	void aCampaignIsKeptAsItWasAskedFor() {
		Campaign made = await(this.campaigns.create(this.scope, asked("Spring", null, "Hello", null)));
		assertThat(made.status()).isEqualTo(Status.DRAFT);
		assertThat(made.sender()).isEqualTo("Ann <ann@" + this.domain + ".test>");
		assertThat(made.fromEmail()).isEqualTo("ann@" + this.domain + ".test");
		assertThat(made.contactBookName()).isEqualTo("Friends");
		assertThat(made.totalContacts()).isEqualTo(3);
		assertThat(await(this.campaigns.find(this.scope, made.id()))).isEqualTo(made);
		Instant later = Instant.now().plusSeconds(3600);
		assertThat(await(this.campaigns.create(this.scope, asked("Spring", null, "Hello", later.toString()))).status())
			.isEqualTo(Status.SCHEDULED);
	}

	@Test
	void whatIsNotTheAccountsIsRefused() {
		Scope other = Scope.of(Given.account("pro"));
		UUID foreignBook = book(other);
		UUID foreignTemplate = template(other, "Theirs").id();
		refused("Contact book not found", this.campaigns.create(this.scope, asked(foreignBook, null, "Hello")));
		refused("Contact book not found", this.campaigns.create(this.scope, asked(UUID.randomUUID(), null, "Hello")));
		refused("Template not found", this.campaigns.create(this.scope, asked(this.book, foreignTemplate, null)));
		refused("From domain mismatch", this.campaigns.create(other,
				new Campaign.Asked("n", "a@" + this.domain + ".test", null, "s", foreignBook, null, null, "t", null)));
		UUID id = campaign(Status.DRAFT);
		refused("Campaign not found", this.campaigns.find(other, id));
		refused("Campaign not found", this.campaigns.update(other, id, (it) -> it));
		refused("Campaign not found", this.campaigns.delete(other, id));
		for (Act act : Act.values()) {
			refused("Campaign not found", act(other, act, id));
			refused("Campaign not found", act(this.scope, act, UUID.randomUUID()));
		}
	}

	@ParameterizedTest
	@EnumSource(Act.class)
	void anActMovesACampaignFromItsStatesAndFromNoOther(Act act) {
		for (Status status : Status.values()) {
			UUID id = campaign(status);
			if (act.fits(status)) {
				await(act(this.scope, act, id).thenReturn(true));
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
				refused(act.refused(id, status).refusal().error(), act(this.scope, act, id));
				assertThat(status(id)).containsExactly(status.wire());
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "PAUSE,RUNNING", "RESUME,PAUSED", "START,DRAFT", "SCHEDULE,PAUSED", "UNSCHEDULE,SCHEDULED" })
	void ofManyWhoMoveACampaignAtOnceOneWins(Act act, Status from) {
		UUID id = campaign(from);
		List<String> outcomes = await(Flux.range(0, 32)
			.flatMap((_) -> act(this.scope, act, id).map((_) -> "moved")
				.onErrorResume(Refused.class, (refused) -> Mono.just(refused.refusal().error()))
				.subscribeOn(Schedulers.parallel()), 32)
			.collectList());
		assertThat(outcomes).containsOnlyOnce("moved").hasSize(32);
		assertThat(outcomes).filteredOn((it) -> !it.equals("moved"))
			.containsOnly(act.refused(id, from).refusal().error());
	}

	@Test
	void whatACampaignSaysAndHowManyItGoesToAreFixedWhenItStarts() {
		Template template = template(this.scope, "Offer");
		UUID id = await(this.campaigns.create(this.scope, asked(this.book, template.id(), null))).id();
		retell(template, "second");
		assertThat(await(this.campaigns.find(this.scope, id)).textContent()).isEqualTo("second");
		Campaign started = await(this.course.start(this.scope, id));
		assertThat(started.totalContacts()).as("those who are subscribed").isEqualTo(2);
		retell(template, "third");
		contact(this.scope, this.book, true);
		Campaign running = await(this.campaigns.find(this.scope, id));
		assertThat(running.textContent()).isEqualTo("second");
		assertThat(running.totalContacts()).isEqualTo(2);
		assertThat(events(id)).containsExactly("campaign.started");
	}

	@Test
	void aCampaignOutlivesItsTemplateAndItsBook() {
		Template template = template(this.scope, "Gone");
		UUID id = await(this.campaigns.create(this.scope, asked(this.book, template.id(), null))).id();
		await(this.templates.delete(this.scope, template.id()).thenReturn(true));
		assertThat(await(this.course.start(this.scope, id)).textContent()).isEqualTo("first");
		UUID draft = campaign(Status.DRAFT);
		await(this.books.delete(this.scope, this.book).thenReturn(true));
		assertThat(await(this.campaigns.find(this.scope, draft)).contactBookName()).isEqualTo("Friends");
		refused("Contact book is empty", this.course.start(this.scope, draft));
		assertThat(status(draft)).containsExactly("draft");
	}

	@Test
	void whoMayNotSendMayNotStart() {
		UUID id = campaign(Status.DRAFT);
		Given.run("update account set paused_reason = 'spam' where id = '%s'", this.scope.account());
		refused("Account paused", this.course.start(this.scope, id));
		Given.run("update account set paused_reason = null, email_verified_at = null where id = '%s'",
				this.scope.account());
		refused("Email not verified", this.course.start(this.scope, id));
		Given.run("update account set email_verified_at = now() where id = '%s'", this.scope.account());
		Given.run("update domain set status = 'failed' where id = '%s'", this.domain);
		refused("Domain not verified", this.course.start(this.scope, id));
		Given.domain(this.scope.account());
		refused("From domain mismatch", this.course.start(this.scope, id));
		assertThat(status(id)).containsExactly("draft");
	}

	@Test
	void aPauseAndItsEndAreRecordedAndKeepWhatWasFixed() {
		UUID id = campaign(Status.DRAFT);
		await(this.course.start(this.scope, id));
		await(this.course.pause(this.scope, id));
		contact(this.scope, this.book, true);
		assertThat(await(this.course.resume(this.scope, id)).totalContacts()).isEqualTo(2);
		assertThat(events(id)).containsExactly("campaign.started", "campaign.paused", "campaign.resumed");
		await(this.course.pause(this.scope, id));
		await(this.course.schedule(this.scope, id, Instant.now().plusSeconds(60).toString()));
		refused("Can only rename or move campaigns that have started",
				this.campaigns.update(this.scope, id, change((it) -> asked("New", null, "Other", it.sendAt()))));
		Campaign renamed = await(
				this.campaigns.update(this.scope, id, change((it) -> new Campaign.Asked("New", it.from(), it.replyTo(),
						it.subject(), it.contactBookId(), it.templateId(), it.htmlContent(), it.textContent(), null))));
		assertThat(renamed.name()).isEqualTo("New");
		assertThat(renamed.status()).isEqualTo(Status.DRAFT);
		assertThat(await(this.course.start(this.scope, id)).totalContacts()).isEqualTo(2);
	}

	@Test
	void aTimeMakesADraftScheduledAndItsLackTheReverse() {
		UUID id = campaign(Status.DRAFT);
		String later = Instant.now().plusSeconds(3600).toString();
		assertThat(await(this.campaigns.update(this.scope, id, change((_) -> asked("a", null, "t", later)))).status())
			.isEqualTo(Status.SCHEDULED);
		assertThat(await(this.campaigns.update(this.scope, id, change((_) -> asked("a", null, "t", null)))).status())
			.isEqualTo(Status.DRAFT);
	}

	@Test
	void scheduledCampaignsRunWhenTheirTimeHasCome() {
		UUID due = scheduled("1 second");
		UUID early = scheduled("-1 hour");
		UUID late = scheduled("25 hours");
		UUID other = scheduled(Scope.of(Given.account("pro")), "1 second");
		await(this.timetable.keep());
		assertThat(status(due)).containsExactly("running");
		assertThat(events(due)).containsExactly("campaign.started");
		assertThat(await(this.campaigns.find(this.scope, due)).totalContacts()).isEqualTo(2);
		assertThat(status(early)).containsExactly("scheduled");
		assertThat(status(late)).containsExactly("paused");
		assertThat(events(late)).containsExactly("campaign.paused");
		assertThat(await(this.campaigns.find(this.scope, late)).pausedReason()).contains("24 hours");
		assertThat(Given.rows("select paused_reason from campaign where id = '%s'", other).getFirst())
			.contains("domain");
		assertThat(await(this.course.resume(this.scope, late)).pausedReason()).isNull();
		assertThat(events(late)).containsExactly("campaign.paused", "campaign.started");
	}

	@Test
	void manyWhoKeepTheTimeStartACampaignOnce() {
		UUID id = scheduled("1 second");
		await(Flux.range(0, 16).flatMap((_) -> this.timetable.keep().subscribeOn(Schedulers.parallel())).collectList());
		assertThat(status(id)).containsExactly("running");
		assertThat(events(id)).containsExactly("campaign.started");
	}

	@Test
	void aSearchIsTakenLiterally() {
		for (String name : List.of("100% off", "100 off", "a_b", "aXb", "back\\slash")) {
			await(this.campaigns.create(this.scope, asked(name, null, "t", null)));
		}
		assertThat(found("0%")).containsExactly("100% off");
		assertThat(found("A_B")).containsExactly("a_b");
		assertThat(found("\\")).containsExactly("back\\slash");
		assertThat(found("SUBJECT")).hasSize(5);
		assertThat(found(" ")).hasSize(5);
		assertThat(found("\0")).isEmpty();
		assertThat(await(this.campaigns.list(this.scope, Campaign.Filter.of(Status.SENT, null), FIRST)).total())
			.isZero();
	}

	private List<String> found(String search) {
		Page<Campaign.Listed> page = await(
				this.campaigns.list(this.scope, Campaign.Filter.of(Status.DRAFT, search), FIRST));
		assertThat(page.total()).isEqualTo(page.items().size());
		return page.items().stream().map(Campaign.Listed::name).toList();
	}

	private Mono<?> act(Scope scope, Act act, UUID id) {
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

	private static UnaryOperator<Campaign.Asked> change(Function<Campaign.Asked, Campaign.Asked> change) {
		return change::apply;
	}

	private Campaign.Asked asked(String name, UUID template, String text, String sendAt) {
		return new Campaign.Asked(name, "Ann <ann@" + this.domain + ".test>", List.of(), "The subject", this.book,
				template, null, text, sendAt);
	}

	private Campaign.Asked asked(UUID book, UUID template, String text) {
		return new Campaign.Asked("n", "Ann <ann@" + this.domain + ".test>", List.of(), "The subject", book, template,
				null, text, null);
	}

	/** A campaign that stands where no act but the system's own may have brought it. */
	private UUID campaign(Status status) {
		UUID id = await(this.campaigns.create(this.scope, asked("n", null, "Hello", null))).id();
		Given.run("update campaign set status = '%1$s', send_at = now() + interval '1 hour', "
				+ "started_at = case when '%1$s' in ('running', 'paused', 'sent') then now() end where id = '%2$s'",
				status.wire(), id);
		if (status == Status.DRAFT) {
			Given.run("update campaign set send_at = null where id = '%s'", id);
		}
		return id;
	}

	private UUID scheduled(String ago) {
		UUID id = campaign(Status.SCHEDULED);
		Given.run("update campaign set send_at = now() - interval '%s' where id = '%s'", ago, id);
		return id;
	}

	private UUID scheduled(Scope other, String ago) {
		UUID id = scheduled(ago);
		Given.run("update campaign set account_id = '%s' where id = '%s'", other.account(), id);
		return id;
	}

	private Template template(Scope scope, String name) {
		return await(this.templates.create(scope, new Template.Asked(name, null, null, "first")));
	}

	private void retell(Template template, String text) {
		await(this.templates.update(this.scope, template.id(),
				(it) -> new Template.Asked(it.name(), null, null, text)));
	}

	private static UUID book(Scope scope) {
		UUID id = UUID.randomUUID();
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", id, scope.account());
		contact(scope, id, true);
		contact(scope, id, true);
		contact(scope, id, false);
		return id;
	}

	private static void contact(Scope scope, UUID book, boolean subscribed) {
		Given.run("insert into contact (id, account_id, contact_book_id, email, email_key, subscribed, created_at, "
				+ "updated_at) values ('%1$s', '%2$s', '%3$s', '%1$s@x.test', '%1$s@x.test', %4$s, now(), now())",
				UUID.randomUUID(), scope.account(), book, subscribed);
		Given.run("update contact_book set contacts = contacts + 1 where id = '%s'", book);
	}

	private static List<String> status(UUID id) {
		return Given.rows("select status from campaign where id = '%s'", id);
	}

	private static List<String> events(UUID id) {
		return Given.rows("select kind from event where data->>'id' = '%s' order by created_at, id", id);
	}

	private static void refused(String error, Mono<?> refusing) {
		StepVerifier.create(refusing)
			.expectErrorSatisfies((it) -> assertThat(((Refused) it).refusal().error()).isEqualTo(error))
			.verify(DEADLINE);
	}

	private static <T> T await(Mono<T> result) {
		T value = result.block(DEADLINE);
		assertThat(value).isNotNull();
		return value;
	}

}
