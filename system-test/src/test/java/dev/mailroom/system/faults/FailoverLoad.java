package dev.mailroom.system.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.mailroom.Await;
import dev.mailroom.system.faults.Run.Verdict;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Load of single mails, batches, a campaign and webhook calls while a primary fails, and
 * the checks that follow it.
 */
final class FailoverLoad implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private static final int CONTACTS = 150;

	/** Mails of the campaign in a minute, so that it lasts longer than a failover. */
	private static final int PACE = 3_000;

	private final ReplicatedInstallation installation;

	private final Run run;

	private final CampaignClient campaign;

	private final SteadyLoad load;

	/** Name of the campaign, with which the addresses of its contacts begin. */
	private final String contacts = "campaign-" + System.nanoTime();

	/** Starts the load and waits until mail is accepted. */
	FailoverLoad(ReplicatedInstallation installation) throws Exception {
		this.installation = installation;
		this.run = new Run(installation);
		this.campaign = new CampaignClient(installation.apis().getFirst().apiPort());
		startCampaign();
		this.load = new SteadyLoad(installation, this.run);
		awaitMore();
	}

	private void startCampaign() throws Exception {
		String book = this.campaign.createBook(this.contacts);
		this.installation
			.rows("""
					insert into contact (id, account_id, contact_book_id, email, email_key, subscribed, created_at, updated_at)
					select gen_random_uuid(), account_id, id, address, address, true, now(), now()
					  from contact_book
					 cross join lateral (select name || '-' || number || '@take.test' as address
					                       from generate_series(1, %d) as number) as entry
					 where id = '%s' returning id
					"""
				.formatted(CONTACTS, book));
		this.campaign
			.create(Map.of("name", this.contacts, "from", "Ann <a@" + this.installation.tenant().domain() + ">",
					"subject", this.contacts, "contact_book_id", book, "html_content", "<p>News</p>", "pace", PACE));
		assertThat(this.campaign.act("start")).isTrue();
	}

	Run run() {
		return this.run;
	}

	/** Waits until 20 more mails are acknowledged. */
	void awaitMore() {
		int before = this.run.acknowledged();
		Await.until("20 more mails are acknowledged", TIMEOUT, () -> this.run.acknowledged() >= before + 20);
	}

	/**
	 * Ends the load, and checks that no mail was lost and that each delivered one was
	 * reported by a webhook call.
	 */
	void assertThatNothingIsLost(String event) throws Exception {
		Await.until("the campaign is sent", TIMEOUT, () -> this.campaign.status().equals("sent"));
		this.load.stop();
		Verdict verdict = this.run.verdict();
		System.out.printf("%s: %d mails accepted, longest time without one %d ms, %d lost, %d twice, %d unanswered%n",
				event, this.run.acknowledged(), this.run.longestPause().toMillis(), verdict.lost(), verdict.twice(),
				verdict.possible());
		assertThat(verdict.lost()).isZero();
		assertThat(verdict.recipients()).isEqualTo(this.run.acknowledged());
		assertThatEachContactGotTheMail();
		this.installation.awaitWebhookCalls();
	}

	private void assertThatEachContactGotTheMail() throws Exception {
		Map<String, List<Integer>> copies = this.installation.copies(this.contacts);
		assertThat(copies).hasSize(CONTACTS);
		for (List<String> row : this.installation
			.rows("select recipient, ambiguous from delivery where recipient like '" + this.contacts + "-%'")) {
			assertThat(copies.get(row.getFirst())).as(row.toString())
				.hasSizeLessThanOrEqualTo(1 + Integer.parseInt(row.getLast()));
		}
	}

	@Override
	public void close() throws Exception {
		this.load.close();
		this.campaign.close();
	}

}
