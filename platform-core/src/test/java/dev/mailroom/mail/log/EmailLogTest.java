package dev.mailroom.mail.log;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.accept.Acceptor;
import dev.mailroom.mail.accept.CheckedMails;
import dev.mailroom.mail.accept.SendRequest;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.mail.queue.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class EmailLogTest {

	private static final Email.Filter ALL = new Email.Filter(null, null);

	@Autowired
	Acceptor acceptor;

	@Autowired
	Emails emails;

	@Autowired
	Schedule schedule;

	@Autowired
	Outcomes outcomes;

	private final Scope scope = Given.sender("unlimited");

	private final Scope owner = Scope.of(this.scope.account());

	@Test
	void totalsAreExactUnderConcurrentAcceptanceSettlementAndCancellation() {
		Scope sibling = Scope.of(this.scope.account(), Given.domain(this.scope.account()), UUID.randomUUID());
		List<Mono<?>> work = new ArrayList<>();
		for (int i = 0; i < 240; i++) {
			int number = i;
			Scope sender = (i % 3 == 0) ? sibling : this.scope;
			work.add((i % 4 == 0) ? accepted(sender, true).flatMap((id) -> this.schedule.cancel(sender, id))
					: accepted(sender, false).flatMap((id) -> settled(id, number)));
		}
		Flux.fromIterable(work).flatMap((mail) -> mail, 32).blockLast(Duration.ofSeconds(60));
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.scope.account()))
			.containsExactly("240");
		assertCountsAreExact();
		for (String status : List.of("pending", "delivered", "bounced", "failed", "complained", "sent")) {
			Page<Email> page = list(this.owner, new Email.Filter(null, status), new Page.Request(1, 100));
			assertThat(page.items()).hasSize((int) Math.min(100, page.total()))
				.allMatch((email) -> email.status().equals(status));
			assertThat(Given.rows("select count(*) from email where account_id = '%s' and status = '%s'",
					this.scope.account(), status))
				.containsExactly(String.valueOf(page.total()));
		}
		assertThat(list(sibling, ALL, new Page.Request(1, 1)).total()).isEqualTo(80);
		assertThat(list(this.owner, new Email.Filter(sibling.domain(), null), new Page.Request(1, 1)).total())
			.isEqualTo(80);
		assertThat(list(sibling, new Email.Filter(this.scope.domain(), null), new Page.Request(1, 1)).total()).isZero();
		Given.run("delete from email where account_id = '%s' and status = 'bounced'", this.scope.account());
		assertCountsAreExact();
	}

	@ParameterizedTest
	@CsvSource(nullValues = "-", value = { "-", "delivered", "bounced", "pending", "failed" })
	void everyPageIsTheSameAsWithAPlainOffset(@Nullable String status) {
		insertMails(30_000);
		for (Scope reader : List.of(this.owner, this.scope)) {
			Email.Filter filter = new Email.Filter(null, status);
			long total = list(reader, filter, new Page.Request(1, 1)).total();
			for (long page : new long[] { 1, 50, 51, 52, total / 300, total / 200, total / 100, total / 100 + 1,
					total / 100 + 2 }) {
				Page.Request request = new Page.Request((int) Math.max(1, page), 100);
				assertThat(list(reader, filter, request).items()).extracting((email) -> email.id().toString())
					.as("page %s of %s", page, status)
					.isEqualTo(expectedPage(reader, status, request));
			}
		}
	}

	@Test
	void aDeepPageIsFoundFromAnAnchorAndMovesWithNewMails() {
		insertMails(30_000);
		Page.Request deep = new Page.Request(150, 100);
		List<UUID> before = list(this.owner, ALL, deep).items().stream().map(Email::id).toList();
		assertThat(Given.rows("select position from email_anchor where account_id = '%s' order by position",
				this.scope.account()))
			.contains("5000", "15000");
		Flux.range(0, 100).flatMap((_) -> accepted(this.scope, false), 32).blockLast(Duration.ofSeconds(60));
		List<UUID> after = list(this.owner, ALL, new Page.Request(151, 100)).items().stream().map(Email::id).toList();
		assertThat(after).isEqualTo(before);
	}

	@Test
	void aDeepPageOfDeliveredMailsIsFoundFromAnAnchor() {
		insertMails(30_000);
		Email.Filter delivered = new Email.Filter(null, "delivered");
		list(this.scope, delivered, new Page.Request(60, 100));
		assertThat(Given.rows("select position from email_anchor where account_id = '%s' and domain_id = '%s'",
				this.scope.account(), this.scope.domain()))
			.isNotEmpty();
	}

	@Test
	void theListIsReadToItsEndByCursorWithEachFilter() {
		insertMails(1_000);
		for (String status : new String[] { null, "delivered", "bounced", "pending" }) {
			Email.Filter filter = new Email.Filter(null, status);
			List<UUID> read = new ArrayList<>();
			Page<Email> page = list(this.owner, filter, new Page.Request(1, 70));
			page.items().forEach((email) -> read.add(email.id()));
			while (page.next() != null) {
				page = list(this.owner, filter, new Page.Request(1, 70, page.next()));
				page.items().forEach((email) -> read.add(email.id()));
			}
			assertThat(read).hasSize((int) page.total()).doesNotHaveDuplicates();
		}
	}

	private void insertMails(int mails) {
		Given.run(
				"""
						insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, last_event, status,
						                   created_at)
						select case when n %% 50 = 0 then gen_random_uuid() else uuidv7() end, '%s', case when n %% 2 = 0 then '%s' else gen_random_uuid() end::uuid, 'a', 'a',
						       '{}', 's', 'queued', case when n %% 5 = 0 then 'bounced' when n %% 200 = 1 then 'pending'
						                                 else 'delivered' end,
						       now() - interval '1 day' + n / 7 * interval '1 second'
						  from generate_series(1, %d) as n
						""",
				this.scope.account(), this.scope.domain(), mails);
		Given.run("""
				insert into queue (id, account_id, email_id, recipient, destination, ready, held, due_at)
				select gen_random_uuid(), account_id, id, 'b@c.test', 'c.test', false,
				       case when row_number() over () %% 2 = 0 then 'destination' end, now() + interval '1 day'
				  from email where account_id = '%s' and status = 'pending'
				""", this.scope.account());
	}

	private List<String> expectedPage(Scope reader, @Nullable String status, Page.Request page) {
		String domain = (reader.domain() != null) ? " and domain_id = '" + reader.domain() + "'" : "";
		return Given.rows(
				"select id from email where account_id = '%s'%s%s order by created_at desc, id desc "
						+ "limit %d offset %d",
				reader.account(), domain, (status != null) ? " and status = '" + status + "'" : "", page.limit(),
				page.offset());
	}

	private void assertCountsAreExact() {
		assertThat(Given.rows("""
				select coalesce(stored.count, 0) = coalesce(counted.count, 0)
				  from (select domain_id, status, sum(count) as count from email_count
				         where account_id = '%1$s' group by 1, 2) as stored
				  full join (select domain_id, status, count(*) from email
				              where account_id = '%1$s' group by 1, 2) as counted using (domain_id, status)
				""", this.scope.account())).isNotEmpty().containsOnly("t");
		assertThat(Given.rows("""
				select (select count(*) from email_trouble where account_id = '%1$s')
				     = (select count(*) from email join email_trouble using (id, status)
				         where email.account_id = '%1$s' and status in ('bounced', 'complained', 'failed'))
				""", this.scope.account())).containsExactly("t");
	}

	private Mono<UUID> accepted(Scope sender, boolean scheduled) {
		CheckedMail checked = scheduled ? CheckedMails.scheduled(sender, Instant.now().plus(1, ChronoUnit.HOURS))
				: CheckedMails.from(sender, "b@c.test");
		return this.acceptor.accept(SendRequest.of(sender, checked)).map((result) -> result.single().id());
	}

	private Mono<Boolean> settled(UUID mail, int number) {
		Outcome outcome = switch (number % 5) {
			case 0 -> new Outcome.Bounced(Bounce.Reason.MAILBOX_FULL, "550 no");
			case 1 -> new Outcome.Deferred("451 later");
			case 2 -> new Outcome.Sent("250 ok");
			default -> new Outcome.Delivered("250 ok");
		};
		return Mono.fromCallable(() -> {
			Given.leased(mail, 1);
			Given.inData(mail);
			UUID delivery = UUID
				.fromString(Given.rows("select id from delivery where email_id = '%s'", mail).getFirst());
			this.outcomes.settle(List.of(new Settlement(new Lease(delivery, 2), outcome)));
			return true;
		}).subscribeOn(Schedulers.boundedElastic());
	}

	private Page<Email> list(Scope reader, Email.Filter filter, Page.Request page) {
		Page<Email> list = this.emails.list(reader, filter, page).block(Duration.ofSeconds(30));
		assertThat(list).isNotNull();
		return list;
	}

}
