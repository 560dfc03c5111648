package dev.mailroom.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain.Status;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.upkeep.DomainNotices;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

class DomainWatchTest extends AskingTestDns {

	@Autowired
	Domains domains;

	@Autowired
	Verification verification;

	@Autowired
	DomainWatch watch;

	@Autowired
	DomainNotices notices;

	@Autowired
	Submissions submissions;

	private final UUID account = Given.account("free");

	private final Scope scope = Scope.of(this.account);

	@Test
	void aDomainWithoutItsRecordsSendsInTheGracePeriodAndAgainWhenTheyAreBack() {
		Domain domain = verified();
		unpublish(domain);
		assertThat(rechecked(domain).status()).isEqualTo(Status.TEMPORARY_FAILURE);
		assertThat(refusal(domain)).isEmpty();
		endGracePeriod(domain);
		Domain failed = rechecked(domain);
		assertThat(failed.status()).isEqualTo(Status.FAILED);
		DnsRecord key = failed.records()
			.stream()
			.filter((record) -> record.purpose() == Purpose.DKIM)
			.findFirst()
			.get();
		assertThat(key.error()).contains("Expected TXT " + key.host(), key.value(), "found nothing");
		assertThat(refusal(domain)).startsWith("Domain not verified: " + domain.name() + " lost its records.")
			.contains("found nothing");
		publish(domain);
		assertThat(rechecked(domain).status()).isEqualTo(Status.VERIFIED);
		assertThat(refusal(domain)).isEmpty();
		assertThat(
				Given.rows(
						"select kind || ' ' || (data ->> 'status') || ' ' || (data -> 'records' is not null) "
								+ "from event where account_id = '%s' and kind like 'domain.%%' order by id",
						this.account))
			.containsExactly("domain.verified verified true", "domain.failed failed true",
					"domain.verified verified true");
	}

	@Test
	void theOwnerIsNotifiedOnceAtTheStartAndOnceAtTheEndOfTheGracePeriod() {
		Domain domain = verified();
		unpublish(domain);
		rechecked(domain);
		rechecked(domain);
		assertThat(sentNotices()).hasSize(1).first().asString().contains(domain.name(), "found nothing");
		endGracePeriod(domain);
		rechecked(domain);
		rechecked(domain);
		assertThat(sentNotices()).hasSize(2)
			.doesNotHaveDuplicates()
			.last()
			.asString()
			.contains(domain.name(), "Domain not verified");
	}

	@Test
	void concurrentJobsSendOneNotice() {
		Domain domain = verified();
		unpublish(domain);
		rechecked(domain);
		Await.together(4, (_) -> this.notices.send());
		assertThat(sentNotices()).hasSize(1);
	}

	@Test
	void failedLookupsDoNotStartTheGracePeriod() {
		Domain domain = verified();
		domain.records().forEach((record) -> DNS.fail(record.host()));
		assertThat(rechecked(domain).status()).isEqualTo(Status.TEMPORARY_FAILURE);
		assertThat(Given.rows("select failing_since from domain where id = '%s'", domain.id())).containsExactly("null");
		endGracePeriod(domain);
		Domain unreachable = rechecked(domain);
		assertThat(unreachable.status()).isEqualTo(Status.TEMPORARY_FAILURE);
		assertThat(unreachable.records().getFirst().error()).contains("did not answer");
		assertThat(sentNotices()).isEmpty();
		publish(domain);
		assertThat(rechecked(domain).status()).isEqualTo(Status.VERIFIED);
		assertThat(Given.rows("select kind from event where account_id = '%s'", this.account))
			.containsExactly("domain.verified");
	}

	@Test
	void domainsAreCheckedWhenDueAndOnlyIfVerifiedBefore() {
		Domain domain = verified();
		Domain pending = await(this.domains.create(this.scope, "d" + UUID.randomUUID() + ".test"));
		unpublish(domain);
		this.watch.recheck();
		assertThat(await(this.domains.find(this.scope, domain.id())).status()).isEqualTo(Status.VERIFIED);
		assertThat(
				Given.rows("select recheck_at between now() + interval '50 minutes' and now() + interval '70 minutes' "
						+ "from domain where id = '%s'", domain.id()))
			.containsExactly("t");
		assertThat(Given.rows("select recheck_at from domain where id = '%s'", pending.id())).containsExactly("null");
	}

	private Domain verified() {
		Domain domain = await(this.domains.create(this.scope, "d" + UUID.randomUUID() + ".test"));
		publish(domain);
		return await(this.verification.verify(this.scope, domain.id()));
	}

	private Domain rechecked(Domain domain) {
		Given.run("update domain set recheck_at = now() where id = '%s'", domain.id());
		this.watch.recheck();
		return await(this.domains.find(this.scope, domain.id()));
	}

	private static void endGracePeriod(Domain domain) {
		Given.run("update domain set failing_since = now() - interval '73 hours' where id = '%s'", domain.id());
	}

	private List<String> sentNotices() {
		this.notices.send();
		return Given.rows("select text from email_content join email on id = email_id "
				+ "where to_emails = '{%s@owner.test}' order by created_at, id", this.account);
	}

	/** The refusal of a mail from the domain; empty if it is accepted. */
	private String refusal(Domain domain) {
		Submission mail = Submission.of("a@" + domain.name(), List.of("b@c.test"), MailContent.of("Hello", null, "Hi"));
		return await(
				this.submissions.send(Channel.API, Scope.of(this.account, domain.id(), UUID.randomUUID()), mail, null)
					.map((_) -> "")
					.onErrorResume(Refused.class,
							(refused) -> Mono.just(refused.refusal().error() + ": " + refused.message())));
	}

}
