package dev.mailroom.inbound;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Events;
import dev.mailroom.mail.accept.Acceptor;
import dev.mailroom.mail.draft.Forward;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class ReceivedMailTest {

	private static final Duration DEADLINE = Duration.ofSeconds(30);

	private static final ArrivedMail.Verdicts VERDICTS = new ArrivedMail.Verdicts("DISABLED", "PASS", "GRAY", "FAIL",
			"PROCESSING_FAILED");

	@Autowired
	ReceivedMails mails;

	@Autowired
	InboundEmails emails;

	@Autowired
	Acceptor acceptor;

	@Autowired
	DatabaseClient database;

	@Autowired
	Events events;

	@Autowired
	Transactions transactions;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	@Test
	void onlyAVerifiedDomainIsFoundByItsName() {
		UUID pending = Given.domain(this.account);
		Given.run("update domain set status = 'pending' where id = '%s'", pending);
		UUID lapsing = Given.domain(this.account);
		Given.run("update domain set status = 'temporary_failure' where id = '%s'", lapsing);
		assertThat(owner(this.domain + ".test"))
			.isEqualTo(new ReceivingDomain.Owner(this.account, this.domain, List.of()));
		assertThat(owner(lapsing + ".test")).isEqualTo(new ReceivingDomain.Owner(this.account, lapsing, List.of()));
		for (String other : List.of(pending + ".test", "x." + this.domain + ".test", "nobody.test", "")) {
			assertThat(this.mails.owner(other).blockOptional(DEADLINE)).isEmpty();
		}
	}

	@Test
	void aMailIsStoredForEachDestinationWithItsEvent() {
		UUID other = Given.account("free");
		UUID otherDomain = Given.domain(other);
		run(this.mails.keep(mail(null), List.of(to(this.account, this.domain, "a"), to(other, otherDomain, "b"))));
		InboundEmail stored = only(this.account);
		assertThat(stored.domainId()).isEqualTo(this.domain);
		assertThat(stored.virusVerdict()).isEqualTo("PASS");
		assertThat(stored.dmarcVerdict()).isEqualTo("PROCESSING_FAILED");
		InboundEmail.Whole whole = this.emails.find(Scope.of(this.account), stored.id()).block(DEADLINE);
		assertThat(whole).isNotNull();
		assertThat(whole.recipients()).containsExactly("a@in.test");
		assertThat(whole.text().text()).isEqualTo("Hi");
		assertThat(whole.text().html()).isNull();
		assertThat(whole.files()).extracting(InboundEmail.File::filename).containsExactly("a.txt", "b.txt");
		assertThat(this.emails.raw(Scope.of(this.account), stored.id()).block(DEADLINE)).asString()
			.startsWith("Subject");
		assertThat(
				Given.rows(
						"select data ->> 'subject' from event where kind = 'email.received' and account_id = '%s' "
								+ "and data ->> 'id' = '%s' and data ->> 'created_at' is not null",
						this.account, stored.id()))
			.containsExactly("Hello");
		assertThat(only(other).domainId()).isEqualTo(otherDomain);
	}

	@Test
	void aRepeatedMailIsStoredAndRecordedOnce() {
		List<ReceivingDomain> here = List.of(to(this.account, this.domain, "a"));
		run(this.mails.keep(mail("<1@out.test>"), here));
		run(Mono.when(this.mails.keep(mail("<1@out.test>"), here), this.mails.keep(mail("<1@out.test>"), here)));
		only(this.account);
		assertThat(Given.rows("select id from event where kind = 'email.received' and account_id = '%s'", this.account))
			.hasSize(1);
		run(this.mails.keep(mail("<1@out.test>"), List.of(to(this.account, this.domain, "b"))));
		run(this.mails.keep(mail(null), here).then(this.mails.keep(mail(null), here)));
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", this.account)).hasSize(4);
	}

	@Test
	void aMailIsStoredForAllDestinationsOrNone() {
		List<ReceivingDomain> destinations = List.of(to(this.account, this.domain, "a"),
				to(this.account, this.domain, "not \u0000 a text"));
		assertThat(this.mails.keep(mail(null), destinations).materialize().block(DEADLINE))
			.matches((signal) -> signal != null && signal.isOnError());
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", this.account)).isEmpty();
	}

	@Test
	void twoWorkersKeepTheLimitOfForwardsTogetherAndCountWhatIsQueuedOrNot() {
		UUID account = Given.account("unlimited");
		UUID domain = Given.domain(account);
		UUID received = Given.inbound(account, domain);
		Given.run(
				"insert into forward_hour select '%s', '%s', date_trunc('hour', created_at, 'UTC'), 'queued', %d "
						+ "from inbound_email where id = '%s'",
				account, domain, ForwardStore.MAX_PER_HOUR - 5, received);
		List<Forwards> workers = List.of(forwards(), forwards());
		List<Boolean> queued = Flux.range(0, 12)
			.flatMap((i) -> workers.get(i % 2).queue(order(account, domain, received, "a" + i)))
			.collectList()
			.block(DEADLINE);
		assertThat(queued).hasSize(12).filteredOn(Boolean::booleanValue).hasSize(5);
		assertThat(Given.rows("select id from email where account_id = '%s'", account)).hasSize(5);
		assertThat(workers.getFirst().queue(order(account, domain, received, "b")).block(DEADLINE)).isFalse();
		assertThat(counts(account)).containsExactly("limit 8", "queued 1000");
	}

	@Test
	void aRepeatedForwardIsNotCountedAgainAndARefusedOneNotAsQueued() {
		UUID account = Given.account("unlimited");
		UUID domain = Given.domain(account);
		UUID received = Given.inbound(account, domain);
		for (int i = 0; i < 2; i++) {
			assertThat(forwards().queue(order(account, domain, received, "a")).block(DEADLINE)).isTrue();
		}
		Given.run("update account set daily_limit = 1 where id = '%s'", account);
		assertThat(forwards().queue(order(account, domain, received, "b")).block(DEADLINE)).isFalse();
		assertThat(counts(account)).containsExactly("queued 1", "refused 1");
	}

	private Forwards forwards() {
		return new Forwards(this.acceptor, new ForwardStore(this.database), this.events, this.transactions,
				Clock.systemUTC());
	}

	private static Forwards.Order order(UUID account, UUID domain, UUID received, String local) {
		return new Forwards.Order(account, domain, received,
				EmailAddress.parse(local + "@" + domain + ".test").orElseThrow(), List.of(local + "@out.test"),
				mail(null).heading(), "Subject: Hello\r\n\r\nHi".getBytes(StandardCharsets.UTF_8),
				new Forward(received, false, false, null));
	}

	private static List<String> counts(UUID account) {
		return Given.rows("select result || ' ' || mails from forward_hour where account_id = '%s' order by 1",
				account);
	}

	private InboundEmail only(UUID account) {
		Page<InboundEmail> page = this.emails.list(Scope.of(account), null, new Page.Request(1, 20, null))
			.block(DEADLINE);
		assertThat(page).isNotNull();
		assertThat(page.items()).hasSize(1);
		return page.items().getFirst();
	}

	private ReceivingDomain.Owner owner(String name) {
		return this.mails.owner(name).blockOptional(DEADLINE).orElseThrow();
	}

	private static ReceivingDomain to(UUID account, UUID domain, String local) {
		return new ReceivingDomain(account, domain, List.of(local + "@in.test"), false);
	}

	private static ArrivedMail mail(@Nullable String messageId) {
		byte[] file = "file".getBytes(StandardCharsets.UTF_8);
		return new ArrivedMail(new ArrivedMail.Heading("x@out.test", "X", List.of("a@in.test"), List.of(), "Hello"),
				new InboundEmail.Text(null, "Hi"),
				List.of(new InboundEmail.FileContent("a.txt", "text/plain", file),
						new InboundEmail.FileContent("b.txt", "text/plain", file)),
				VERDICTS, "Subject: Hello\r\n\r\nHi".getBytes(StandardCharsets.UTF_8), "x@out.test", messageId);
	}

	private static void run(Mono<?> work) {
		work.block(DEADLINE);
	}

}
