package dev.mailroom.mail.accept;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.draft.CheckedMail;
import dev.mailroom.mail.draft.EmailRefusals;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Suppression;
import dev.mailroom.mail.outcome.Suppressions;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Given.rows;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AcceptTest {

	@Autowired
	Acceptor acceptor;

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	Suppressions suppressions;

	@Test
	void anAcceptedMailHasOneDeliveryForEachRecipient() {
		Scope scope = Given.sender("free");
		SendResult.Accepted accepted = accept(
				SendRequest.of(scope, CheckedMails.from(scope, "b@c.test", "D <d@e.test>", "B@c.test")));
		assertThat(accepted.to()).containsExactly("b@c.test", "D <d@e.test>", "B@c.test");
		assertThat(rows(
				"select recipient || ' ' || phase || ' ' || status from delivery_state where email_id = '%s' order by position",
				accepted.id()))
			.containsExactly("b@c.test queued pending", "d@e.test queued pending");
		assertThat(rows("select status || ' ' || last_event from email where id = '%s'", accepted.id()))
			.containsExactly("pending queued");
	}

	@Test
	void fewDueDeliveriesAreAnnouncedToTheDispatcherAndManyAreNot() throws SQLException {
		Scope scope = Given.sender("free");
		Given.run("update domain set require_tls = true, transport = 'mx' where id = '%s'", scope.domain());
		List<Lease> announced = new ArrayList<>();
		try (Connection listening = TestDatabase.connect("mailroom");
				Statement statement = listening.createStatement()) {
			statement.execute("listen " + Queue.Due.CHANNEL);
			accept(SendRequest.of(scope,
					CheckedMails.from(scope, "1@c.test", "2@c.test", "3@c.test", "4@c.test", "5@c.test")));
			// Notifications of several tests at the same time are sent as one, which
			// announces nothing.
			Await.until("the announcement", () -> {
				accept(SendRequest.of(scope, CheckedMails.from(scope, "b@c.test", "d@E.test")));
				announced.addAll(announced(listening, scope));
				return !announced.isEmpty();
			});
		}
		assertThat(announced.stream().map((lease) -> lease.epoch() + " " + lease.route())).contains(
				"0 " + new Route(scope.account(), "c.test", TransportKind.MX, true),
				"0 " + new Route(scope.account(), "e.test", TransportKind.MX, true));
		assertThat(rows("select id from queue where account_id = '%s' and lower(recipient) in ('b@c.test', 'd@e.test')",
				scope.account()))
			.containsAll(announced.stream().map((lease) -> lease.delivery().toString()).toList());
	}

	/** Announcements of an account that arrive within a while. */
	private static List<Lease> announced(Connection listening, Scope scope) throws SQLException {
		PGNotification @Nullable [] received = listening.unwrap(PGConnection.class).getNotifications(200);
		return Arrays.stream((received != null) ? received : new PGNotification[0])
			.flatMap((one) -> Queue.Due.of(one.getParameter()).leases().stream())
			.filter((lease) -> lease.route().accountId().equals(scope.account()))
			.toList();
	}

	/** PostgreSQL does not know the final sigma, in most locales. */
	@Test
	void aRecipientIsSuppressedRegardlessOfCaseInEveryLocale() {
		Scope scope = Given.sender("free");
		SendResult.Accepted accepted = accept(
				SendRequest.of(scope, CheckedMails.from(scope, "ΟΔΟΣ@c.test", "B@c.test")));
		List<Lease> leases = LeaseStep.lease(this.queue)
			.stream()
			.filter((lease) -> lease.route().accountId().equals(scope.account()))
			.toList();
		for (String address : List.of("ΟΔΟΣ@c.test", "b@c.test")) {
			await(this.suppressions.enter(scope, new Suppression.Form(address, null)));
		}
		assertThat(FenceStep.pass(this.queue, this.outcomes, leases)).isEmpty();
		assertThat(rows("select status from delivery where email_id = '%s'", accepted.id())).hasSize(2)
			.containsOnly("suppressed");
	}

	@Test
	void aMailNamesTheKeyOrThePersonThatSubmittedIt() {
		Scope key = Given.sender("free");
		Scope founder = Scope.of(key.account()).within(key.domain());
		Scope member = founder.by(UUID.randomUUID());
		assertThat(submitter(SendRequest.of(key, CheckedMails.from(key, "b@c.test")))).isEqualTo(key.apiKey() + "/");
		for (Scope person : List.of(founder, member)) {
			assertThat(submitter(SendRequest.of(person, CheckedMails.from(key, "b@c.test"))))
				.isEqualTo("/" + person.person().account());
		}
	}

	private String submitter(SendRequest request) {
		return rows("select coalesce(api_key_id::text, '') || '/' || coalesce(person_id::text, '') from email "
				+ "where id = '%s'", accept(request).id())
			.getFirst();
	}

	@Test
	void aMailWithoutTrackingSettingsStoresThoseOfItsDomain() {
		Scope scope = Given.sender("free");
		CheckedMail unset = CheckedMails.from(scope, "b@c.test");
		SendResult.Accepted off = accept(SendRequest.of(scope, unset));
		Given.run("update domain set open_tracking = true, click_tracking = true where id = '%s'", scope.domain());
		SendResult.Accepted on = accept(SendRequest.of(scope, unset));
		SendResult.Accepted own = accept(
				SendRequest.of(scope, unset.with(unset.content().withDefaultTracking(false, null))));
		assertThat(rows("select open_tracking || ' ' || click_tracking from email where id in ('%s', '%s', '%s') "
				+ "order by id", off.id(), on.id(), own.id()))
			.containsExactly("false false", "true true", "false true");
	}

	@Test
	void aRefusedMailIsNotStoredAndDoesNotCount() {
		Scope scope = Given.sender("free");
		CheckedMail foreign = CheckedMails.from(Given.sender("free"), "b@c.test");
		refused("From domain mismatch", SendRequest.of(scope, foreign));
		Given.run("update domain set status = 'failed' where id = '%s'", scope.domain());
		refused("Domain not verified", SendRequest.of(scope, foreign));
		Given.run("update account set paused_reason = 'bounces' where id = '%s'", scope.account());
		refused("Account paused", SendRequest.of(scope, foreign));
		Given.run("update account set email_verified_at = null where id = '%s'", scope.account());
		refused("Email not verified", SendRequest.of(scope, foreign));
		assertThat(rows("select id from email where account_id = '%s'", scope.account())).isEmpty();
		assertThat(rows("select used from quota_use where account_id = '%s'", scope.account())).isEmpty();
	}

	@Test
	void theQuotaIsExactAlsoIfItEndsAfterTheRowsOfConcurrentGroups() {
		Scope scope = Given.sender("pro");
		Given.run("update account set monthly_limit = 1300 where id = '%s'", scope.account());
		List<Integer> accepted = Flux.range(0, 90)
			.map((i) -> (i % 3 == 0) ? SendRequest.of(scope, CheckedMails.from(scope, "b@c.test")) : batch(scope, 30))
			.flatMap((request) -> this.acceptor.accept(request)
				.map((_) -> request.mails().size())
				.onErrorResume(Refused.class, (_) -> Mono.just(0)), 40)
			.collectList()
			.block(Duration.ofSeconds(60));
		assertThat(accepted).isNotNull().hasSize(90).contains(0);
		String sum = String.valueOf(accepted.stream().mapToInt(Integer::intValue).sum());
		assertThat(Integer.parseInt(sum)).isBetween(1271, 1300);
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly(sum);
		assertThat(rows("select used from quota_use where account_id = '%s'", scope.account())).containsExactly(sum,
				sum);
		assertThat(rows("select kind from event where account_id = '%s' order by kind", scope.account()))
			.containsExactly("quota.reached", "quota.warning");
	}

	@Test
	void theQuotaIsExactUnderConcurrentSinglesAndBatches() {
		Scope scope = Given.sender("free");
		List<SendRequest> requests = new ArrayList<>();
		IntStream.range(0, 120)
			.forEach((i) -> requests.add(SendRequest.of(scope, CheckedMails.from(scope, "b@c.test"))));
		IntStream.range(0, 12).forEach((i) -> requests.add(batch(scope, 7)));
		List<Integer> sizes = Flux.fromIterable(requests)
			.flatMap((request) -> this.acceptor.accept(request)
				.map((_) -> request.mails().size())
				.onErrorResume(Refused.class, (refused) -> {
					assertThat(refused.refusal().error()).isEqualTo("Daily/monthly limit reached");
					return Mono.just(0);
				}), 64)
			.collectList()
			.block(Duration.ofSeconds(60));
		assertThat(sizes).isNotNull().hasSize(132);
		int accepted = sizes.stream().mapToInt(Integer::intValue).sum();
		assertThat(accepted).isEqualTo(100);
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("100");
		assertThat(rows("select used from quota_use where account_id = '%s'", scope.account())).containsExactly("100",
				"100");
	}

	@Test
	void aBatchReservesItsQuotaWholeOrNotAtAll() {
		Scope scope = Given.sender("free");
		Given.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 95)", scope.account());
		refused("Daily/monthly limit reached", batch(scope, 6));
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("0");
		assertThat(await(this.acceptor.accept(batch(scope, 5))).mails()).hasSize(5);
		refused("Daily/monthly limit reached", batch(scope, 1));
	}

	@Test
	void sixtyFourRequestsWithOneKeySendOneMailAndHaveOneResult() {
		Scope scope = Given.sender("free");
		List<SendRequest> requests = IntStream.range(0, 64).mapToObj((i) -> keyed(scope, "one", "hash")).toList();
		List<SendResult> results = Flux.fromIterable(requests)
			.flatMap(this.acceptor::accept, 64)
			.collectList()
			.blockOptional(Duration.ofSeconds(60))
			.orElseThrow();
		Set<List<SendResult.MailResult>> mails = results.stream().map(SendResult::mails).collect(Collectors.toSet());
		assertThat(mails).hasSize(1);
		assertThat(results).filteredOn((result) -> !result.replayed()).hasSize(1);
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("1");
		refused("Idempotency key reused", keyed(scope, "one", "other"));
		assertThat(rows("select used from quota_use where account_id = '%s' and period = 'day'", scope.account()))
			.containsExactly("1");
	}

	@Test
	void aReplayedBatchHasTheResultsOfTheFirst() {
		Scope scope = Given.sender("free");
		Claim claim = new Claim(scope.account(), "POST /emails/batch", "batch", "hash");
		List<MailCheck> mails = List.of(new MailCheck.Valid(CheckedMails.from(scope, "D <d@e.test>")),
				new MailCheck.Invalid(EmailRefusals.INVALID.because("subject is required")),
				new MailCheck.Valid(CheckedMails.from(Given.sender("free"), "b@c.test")));
		SendResult first = await(this.acceptor.accept(new SendRequest(scope, mails, Channel.BATCH, claim)));
		SendResult second = await(this.acceptor.accept(new SendRequest(scope, mails, Channel.BATCH, claim)));
		assertThat(first.mails()).hasSize(3);
		assertThat(first.replayed()).isFalse();
		assertThat(second).isEqualTo(new SendResult(first.mails(), true));
	}

	@Test
	void aRefusedRequestReleasesItsKey() {
		Scope scope = Given.sender("free");
		Given.run("update domain set status = 'pending' where id = '%s'", scope.domain());
		refused("Domain not verified", keyed(scope, "again", "hash"));
		Given.run("update domain set status = 'verified' where id = '%s'", scope.domain());
		assertThat(await(this.acceptor.accept(keyed(scope, "again", "hash"))).replayed()).isFalse();
	}

	@Test
	void aRequestRefusedForItsQuotaReleasesItsKey() {
		Scope scope = Given.sender("free");
		Given.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 100)", scope.account());
		refused("Daily/monthly limit reached", keyed(scope, "full", "hash"));
		assertThat(rows("select key from idempotency_key where account_id = '%s'", scope.account())).isEmpty();
		Given.run("update quota_use set used = 0 where account_id = '%s'", scope.account());
		assertThat(await(this.acceptor.accept(keyed(scope, "full", "hash"))).replayed()).isFalse();
		assertThat(await(this.acceptor.accept(keyed(scope, "full", "hash"))).replayed()).isTrue();
	}

	@Test
	void aRetryIsAnsweredAlsoIfTheRequestWouldBeRefusedNow() {
		Scope scope = Given.sender("free");
		SendResult first = await(this.acceptor.accept(keyed(scope, "sent", "hash")));
		Given.run("update domain set status = 'pending' where id = '%s'", scope.domain());
		assertThat(await(this.acceptor.accept(keyed(scope, "sent", "hash")))).isEqualTo(first.replay());
		refused("Idempotency key reused", keyed(scope, "sent", "other"));
	}

	@Test
	void aRecipientSuppressedByAnotherAccountIsQueued() {
		Scope scope = Given.sender("free");
		Given.run("insert into suppression values ('%s', '%s', 'b@c.test', 'manual', now())", UUID.randomUUID(),
				Given.account("free"));
		SendResult.Accepted accepted = accept(SendRequest.of(scope, CheckedMails.from(scope, "b@c.test")));
		assertThat(rows("select phase from delivery_state where email_id = '%s'", accepted.id()))
			.containsExactly("queued");
	}

	@Test
	void aSuppressedRecipientIsNotQueuedAndAMailWithNoOtherHasFailed() {
		Scope scope = Given.sender("free");
		Given.run("insert into suppression values ('%s', '%s', 'no@c.test', 'manual', now())", UUID.randomUUID(),
				scope.account());
		SendResult.Accepted some = accept(SendRequest.of(scope, CheckedMails.from(scope, "No@c.test", "yes@c.test")));
		assertThat(rows("select phase || ' ' || status from delivery_state where email_id = '%s' order by position",
				some.id()))
			.containsExactly("done suppressed", "queued pending");
		SendResult.Accepted none = accept(SendRequest.of(scope, CheckedMails.from(scope, "no@c.test")));
		assertThat(rows("select status || ' ' || last_event from email where id = '%s'", none.id()))
			.containsExactly("failed suppressed");
	}

	@Test
	void aRequestThatCannotBeWrittenFailsAlone() {
		Scope scope = Given.sender("unlimited");
		CheckedMail good = CheckedMails.from(scope, "b@c.test");
		CheckedMail bad = good.with(MailContent.of("Hello", null, "a\0b"));
		String route = Stream.generate(UUID::randomUUID).limit(300).map(UUID::toString).collect(Collectors.joining());
		SendRequest tooLongForTheIndex = new SendRequest(scope, List.of(new MailCheck.Valid(good)), Channel.API,
				new Claim(scope.account(), route, "key", "hash"));
		List<Boolean> accepted = Flux.range(0, 40).flatMapSequential((i) -> this.acceptor.accept(switch (i) {
			case 17 -> SendRequest.of(scope, bad);
			case 23 -> tooLongForTheIndex;
			default -> SendRequest.of(scope, good);
		}).map((_) -> true).onErrorReturn(false), 40).collectList().blockOptional(Duration.ofSeconds(60)).orElseThrow();
		assertThat(accepted).hasSize(40).filteredOn((mail) -> !mail).hasSize(2);
		assertThat(accepted.get(17)).isFalse();
		assertThat(accepted.get(23)).isFalse();
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("38");
	}

	private static SendRequest batch(Scope scope, int size) {
		List<MailCheck> mails = IntStream.range(0, size)
			.<MailCheck>mapToObj((i) -> new MailCheck.Valid(CheckedMails.from(scope, i + "@c.test")))
			.toList();
		return new SendRequest(scope, mails, Channel.BATCH, null);
	}

	private static SendRequest keyed(Scope scope, String key, String hash) {
		Claim claim = new Claim(scope.account(), "POST /emails", key, hash);
		return new SendRequest(scope, List.of(new MailCheck.Valid(CheckedMails.from(scope, "b@c.test"))), Channel.API,
				claim);
	}

	private SendResult.Accepted accept(SendRequest request) {
		return await(this.acceptor.accept(request)).single();
	}

	private void refused(String error, SendRequest request) {
		awaitRefusal(error, this.acceptor.accept(request));
	}

}
