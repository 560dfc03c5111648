package dev.mailroom.accept;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.email.Emails;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.idempotency.Claim;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class AcceptTest {

	@Autowired
	Emails emails;

	@Test
	void anAcceptedMailIsInTheQueueOnceForEachRecipient() {
		Scope scope = Given.sender("free");
		MailResult.Taken taken = accept(
				SendRequest.of(scope, Drafts.from(scope, "b@c.test", "D <d@e.test>", "b@c.test")));
		assertThat(taken.to()).containsExactly("b@c.test", "D <d@e.test>", "b@c.test");
		assertThat(rows(
				"select recipient || ' ' || phase || ' ' || status from delivery where email_id = '%s' order by position",
				taken.id()))
			.containsExactly("b@c.test queued pending", "d@e.test queued pending");
		assertThat(rows("select status || ' ' || last_event from email where id = '%s'", taken.id()))
			.containsExactly("pending queued");
	}

	@Test
	void aMailThatSaysNothingOfTrackingTakesItsDomainsWordOnceAndForAll() {
		Scope scope = Given.sender("free");
		Draft silent = Drafts.from(scope, "b@c.test");
		MailResult.Taken off = accept(SendRequest.of(scope, silent));
		Given.run("update domain set open_tracking = true, click_tracking = true where id = '%s'", scope.domain());
		MailResult.Taken on = accept(SendRequest.of(scope, silent));
		MailResult.Taken own = accept(SendRequest.of(scope, silent.tracked(false, null)));
		assertThat(rows("select open_tracking || ' ' || click_tracking from email where id in ('%s', '%s', '%s') "
				+ "order by id", off.id(), on.id(), own.id()))
			.containsExactly("false false", "true true", "false true");
	}

	@Test
	void whatIsRefusedLeavesNothingBehindAndCountsNothing() {
		Scope scope = Given.sender("free");
		Draft foreign = Drafts.from(Given.sender("free"), "b@c.test");
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
	void theQuotaIsMetExactlyUnderConcurrentSinglesAndBatches() {
		Scope scope = Given.sender("free");
		List<SendRequest> requests = new ArrayList<>();
		IntStream.range(0, 120).forEach((i) -> requests.add(SendRequest.of(scope, Drafts.from(scope, "b@c.test"))));
		IntStream.range(0, 12).forEach((i) -> requests.add(batch(scope, 7)));
		List<Integer> sizes = Flux.fromIterable(requests)
			.flatMap((request) -> this.emails.accept(request)
				.map((_) -> request.mails().size())
				.onErrorResume(Refused.class, (no) -> {
					assertThat(no.refusal().error()).isEqualTo("Daily/monthly limit reached");
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
	void aBatchTakesItsQuotaWholeOrNotAtAll() {
		Scope scope = Given.sender("free");
		Given.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 95)", scope.account());
		refused("Daily/monthly limit reached", batch(scope, 6));
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("0");
		assertThat(this.emails.accept(batch(scope, 5)).block(Duration.ofSeconds(20))).isNotNull();
		refused("Daily/monthly limit reached", batch(scope, 1));
	}

	@Test
	void sixtyFourRequestsWithOneKeyAreOneMailAndOneAnswer() {
		Scope scope = Given.sender("free");
		List<SendRequest> requests = IntStream.range(0, 64).mapToObj((i) -> keyed(scope, "one", "hash")).toList();
		Set<String> answers = new HashSet<>(Flux.fromIterable(requests)
			.flatMap(this.emails::accept, 64)
			.map(AcceptTest::answered)
			.collectList()
			.blockOptional(Duration.ofSeconds(60))
			.orElseThrow());
		assertThat(answers).hasSize(1);
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("1");
		refused("Idempotency key reused", keyed(scope, "one", "other"));
		assertThat(rows("select used from quota_use where account_id = '%s' and period = 'day'", scope.account()))
			.containsExactly("1");
	}

	@Test
	void aRefusedRequestLetsGoOfItsKey() {
		Scope scope = Given.sender("free");
		Given.run("update domain set status = 'pending' where id = '%s'", scope.domain());
		refused("Domain not verified", keyed(scope, "again", "hash"));
		Given.run("update domain set status = 'verified' where id = '%s'", scope.domain());
		assertThat(this.emails.accept(keyed(scope, "again", "hash")).block(Duration.ofSeconds(20)))
			.isInstanceOf(SendResult.Done.class);
	}

	@Test
	void aSuppressedRecipientIsNeverQueuedAndWithNobodyLeftTheMailHasFailed() {
		Scope scope = Given.sender("free");
		Given.run("insert into suppression values ('%s', '%s', 'no@c.test', 'manual', now())", UUID.randomUUID(),
				scope.account());
		MailResult.Taken some = accept(SendRequest.of(scope, Drafts.from(scope, "No@c.test", "yes@c.test")));
		assertThat(
				rows("select phase || ' ' || status from delivery where email_id = '%s' order by position", some.id()))
			.containsExactly("done suppressed", "queued pending");
		MailResult.Taken nobody = accept(SendRequest.of(scope, Drafts.from(scope, "no@c.test")));
		assertThat(rows("select status || ' ' || last_event from email where id = '%s'", nobody.id()))
			.containsExactly("failed suppressed");
	}

	@Test
	void aRowThatCannotBeWrittenFailsAlone() {
		Scope scope = Given.sender("unlimited");
		Draft good = Drafts.from(scope, "b@c.test");
		Draft bad = new Draft(good.from(), good.to(), good.cc(), good.bcc(), good.replyTo(), good.subject(), null,
				"a\0b", good.attachments(), good.tags(), good.headers(), null, null, null, null);
		List<Boolean> taken = Flux.range(0, 40)
			.flatMapSequential((i) -> this.emails.accept(SendRequest.of(scope, (i == 17) ? bad : good))
				.map((_) -> true)
				.onErrorReturn(false), 40)
			.collectList()
			.blockOptional(Duration.ofSeconds(60))
			.orElseThrow();
		assertThat(taken).hasSize(40).filteredOn((it) -> !it).hasSize(1);
		assertThat(taken.get(17)).isFalse();
		assertThat(rows("select count(*) from email where account_id = '%s'", scope.account())).containsExactly("39");
	}

	private static SendRequest batch(Scope scope, int size) {
		List<CheckedMail> mails = IntStream.range(0, size)
			.<CheckedMail>mapToObj((i) -> new CheckedMail.Fit(Drafts.from(scope, i + "@c.test")))
			.toList();
		return new SendRequest(scope, mails, true, null, (_) -> new Answer(200, ""));
	}

	private static SendRequest keyed(Scope scope, String key, String hash) {
		Claim claim = new Claim(scope.account(), "POST /emails", key, hash);
		return new SendRequest(scope, List.of(new CheckedMail.Fit(Drafts.from(scope, "b@c.test"))), false, claim,
				(verdicts) -> new Answer(200, verdicts.toString()));
	}

	private static String answered(SendResult reception) {
		return switch (reception) {
			case SendResult.Done(var verdicts) -> verdicts.toString();
			case SendResult.Replayed(var answer) -> answer.body();
		};
	}

	private MailResult.Taken accept(SendRequest request) {
		SendResult reception = this.emails.accept(request).block(Duration.ofSeconds(20));
		assertThat(reception).isInstanceOf(SendResult.Done.class);
		return (MailResult.Taken) ((SendResult.Done) reception).verdicts().getFirst();
	}

	private void refused(String error, SendRequest request) {
		@Nullable Refused refused = this.emails.accept(request)
			.then(Mono.<Refused>empty())
			.onErrorResume(Refused.class, Mono::just)
			.block(Duration.ofSeconds(20));
		assertThat(refused).as(error).isNotNull();
		assertThat(refused.refusal().error()).isEqualTo(error);
	}

	private static List<String> rows(String sql, Object... arguments) {
		return Given.rows(sql, arguments);
	}

}
