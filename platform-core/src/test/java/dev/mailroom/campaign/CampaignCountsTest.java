package dev.mailroom.campaign;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.DeliveryReport;
import dev.mailroom.mail.outcome.FeedbackReport;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.tracking.Consents;
import dev.mailroom.tracking.Engagements;
import dev.mailroom.tracking.TrackingToken;
import dev.mailroom.tracking.Visitor;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.campaign.Owner.contact;
import static dev.mailroom.campaign.Owner.status;
import static org.assertj.core.api.Assertions.assertThat;

/** Mails of campaigns at lease, fence and settlement, and the counts of their results. */
@WithCore
class CampaignCountsTest {

	/** The counts, counted one by one from the mails and the recipients. */
	private static final String RECOUNT = """
			select concat_ws(' ', count(*) filter (where status in ('sent', 'delivered', 'bounced', 'complained')),
			       count(*) filter (where status in ('delivered', 'complained')),
			       count(*) filter (where status = 'bounced'), count(*) filter (where status = 'complained'),
			       count(*) filter (where status = 'failed' and last_event <> 'suppressed'),
			       count(*) filter (where open_count > 0), count(*) filter (where click_count > 0),
			       (select count(*) from campaign_recipient where campaign_id = '%1$s' and unsubscribed_at is not null),
			       count(*) filter (where last_event = 'suppressed')
			       + (select count(*) from campaign_recipient where campaign_id = '%1$s' and email_id is null))
			  from email where campaign_id = '%1$s'
			""";

	@Autowired
	Campaigns campaigns;

	@Autowired
	CampaignFanOut fanOut;

	@Autowired
	CampaignResults results;

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	Engagements engagements;

	@Autowired
	Consents consents;

	private final Owner owner = new Owner();

	@Test
	void theCountsEqualARecountOfTheMails() {
		for (int i = 0; i < 8; i++) {
			contact(this.owner.scope, this.owner.book, true);
		}
		UUID id = fannedOut();
		List<Lease> leases = fenced(id);
		assertThat(leases).hasSize(10);
		settle(leases.get(0), new Outcome.Delivered("250 ok"));
		settle(leases.get(1), new Outcome.Delivered("250 ok"));
		settle(leases.get(2), new Outcome.Delivered("250 ok"));
		settle(leases.get(3), new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 5.1.1 unknown"));
		settle(leases.get(4), new Outcome.Sent("250 queued"));
		settle(leases.get(5), new Outcome.Failed("not composed"));
		settle(leases.get(6), new Outcome.Deferred("451 later"));
		assertThat(counts(id)).isEqualTo(recount(id)).isEqualTo("5 3 1 0 1 0 0 0 1");
		UUID account = this.owner.scope.account();
		Given.run("update delivery set settled_at = now() - interval '1 minute' where account_id = '%s'", account);
		Visitor person = Visitor.SANDBOX;
		UUID link = UUID.randomUUID();
		TrackingToken.Click click = new TrackingToken.Click(account, leases.get(0).delivery(), link);
		await(this.engagements.recordOpen(new TrackingToken.Open(account, leases.get(0).delivery()), person));
		await(this.engagements.recordOpen(new TrackingToken.Open(account, leases.get(0).delivery()), person));
		await(this.engagements.recordClick(click, "https://a.test/", person));
		await(this.engagements.recordClick(click, "https://a.test/", person));
		await(this.engagements.recordClick(new TrackingToken.Click(account, leases.get(2).delivery(), link),
				"https://a.test/", person));
		this.outcomes.recordFeedback(
				List.of(new FeedbackReport(account, leases.get(1).delivery(), new DeliveryReport.Complained("abuse")),
						new FeedbackReport(account, leases.get(0).delivery(),
								new DeliveryReport.Bounced(Bounce.of("550 5.1.1 gone", Bounce.Command.REPORTED)))));
		UUID contact = UUID.fromString(
				Given.rows("select contact_id from campaign_recipient where email_id = '%s'", leases.get(2).delivery())
					.getFirst());
		TrackingToken.Unsubscribe unsubscribe = new TrackingToken.Unsubscribe(account, contact, id);
		await(this.consents.set(unsubscribe, false));
		await(this.consents.set(unsubscribe, true));
		await(this.consents.set(unsubscribe, false));
		assertThat(counts(id)).isEqualTo(recount(id))
			.as("one of three delivered mails bounced later")
			.isEqualTo("5 2 2 1 1 1 2 1 1");
		assertThat(await(this.results.links(this.owner.scope, id))).as("two of three clicks are of the same person")
			.containsExactly(new CampaignResults.Link("https://a.test/", 3, 2L));
		Given.run("update campaign_link set people = null where campaign_id = '%s'", id);
		await(this.engagements.recordClick(new TrackingToken.Click(account, leases.get(1).delivery(), link),
				"https://a.test/", person));
		assertThat(await(this.results.links(this.owner.scope, id))).as("clicks from before people were counted")
			.containsExactly(new CampaignResults.Link("https://a.test/", 4, null));
		assertThat(await(this.results.series(this.owner.scope, id, CampaignResults.Interval.DAY))).satisfies(
				(points) -> assertThat(points.stream().mapToLong(CampaignResults.Point::delivered).sum()).isEqualTo(2));
		awaitRefusal("Campaign not found", this.results.links(Scope.of(Given.account("free")), id));
	}

	@Test
	void aPauseVoidsLeasesAndAResumeLetsTheMailsPassAtOnce() {
		UUID id = fannedOut();
		List<Lease> leases = leased(id);
		await(this.campaigns.pause(this.owner.scope, id));
		assertThat(this.queue.fence(leases, FenceStep.LIMIT).handOvers()).isEmpty();
		assertThat(leased(id)).isEmpty();
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(fenced(id)).hasSize(2);
		assertThat(Given.rows("select distinct attempt from queue where campaign_id = '%s'", id)).containsExactly("1");
	}

	@Test
	void aMailThatBecomesDueDuringThePauseIsHeldWithoutAnEventOrAnAttempt() {
		UUID id = fannedOut();
		Given.run("update queue set ready = false, due_at = now() + interval '1 hour' where campaign_id = '%s'", id);
		await(this.campaigns.pause(this.owner.scope, id));
		Given.run("update queue set due_at = now() where campaign_id = '%s'", id);
		List<Lease> leases = leased(id);
		assertThat(leases).hasSize(2);
		Fenced fenced = this.queue.fence(leases, FenceStep.LIMIT);
		assertThat(fenced.handOvers()).isEmpty();
		assertThat(fenced.barred()).isEmpty();
		assertThat(leased(id)).isEmpty();
		assertThat(Given.rows("select distinct attempt from queue where campaign_id = '%s' and not ready", id))
			.containsExactly("0");
		assertThat(Given.rows("select kind from event join email on email.id = email_id where campaign_id = '%s'", id))
			.isEmpty();
		await(this.campaigns.resume(this.owner.scope, id));
		assertThat(fenced(id)).hasSize(2);
	}

	@Test
	void waitingMailsOfADeletedCampaignFail() {
		UUID id = fannedOut();
		await(this.campaigns.pause(this.owner.scope, id));
		await(this.campaigns.delete(this.owner.scope, id));
		Fenced fenced = this.queue.fence(leased(id), FenceStep.LIMIT);
		assertThat(fenced.handOvers()).isEmpty();
		this.outcomes.settleBarred(fenced.barred());
		assertThat(Given.rows("select reply from delivery join email on email.id = email_id where campaign_id = '%s' "
				+ "and email.status = 'failed'", id))
			.containsExactly("The campaign was deleted", "The campaign was deleted");
	}

	@Test
	void aContactThatUnsubscribesBeforeTheHandOverIsSkipped() {
		UUID id = fannedOut();
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.owner.book);
		Fenced fenced = this.queue.fence(leased(id), FenceStep.LIMIT);
		assertThat(fenced.handOvers()).isEmpty();
		this.outcomes.settleBarred(fenced.barred());
		assertThat(counts(id)).isEqualTo(recount(id)).isEqualTo("0 0 0 0 0 0 0 0 3");
		this.fanOut.next(new CampaignFanOut.Running(id, this.owner.scope.account(), true));
		assertThat(status(id)).containsExactly("sent");
	}

	private UUID fannedOut() {
		UUID id = await(this.campaigns.create(this.owner.scope, this.owner.form("n", null, "Hello", null))).id();
		await(this.campaigns.start(this.owner.scope, id));
		this.fanOut.next(new CampaignFanOut.Running(id, this.owner.scope.account(), false));
		return id;
	}

	private List<Lease> fenced(UUID campaign) {
		return this.queue.fence(leased(campaign), FenceStep.LIMIT)
			.handOvers()
			.stream()
			.map((mail) -> mail.lease())
			.toList();
	}

	private List<Lease> leased(UUID campaign) {
		List<String> own = Given.rows("select id from queue where campaign_id = '%s'", campaign);
		return LeaseStep.lease(this.queue)
			.stream()
			.filter((lease) -> own.contains(lease.delivery().toString()))
			.toList();
	}

	private void settle(Lease lease, Outcome outcome) {
		this.outcomes.settle(List.of(new Settlement(lease, outcome)));
	}

	private String counts(UUID id) {
		Campaign it = await(this.campaigns.find(this.owner.scope, id));
		return List
			.of(it.sentCount(), it.deliveredCount(), it.bouncedCount(), it.complainedCount(), it.failedCount(),
					it.openedCount(), it.clickedCount(), it.unsubscribedCount(), it.skippedCount())
			.stream()
			.map(String::valueOf)
			.collect(Collectors.joining(" "));
	}

	private static String recount(UUID id) {
		return Given.rows(RECOUNT, id).getFirst();
	}

}
