package dev.mailroom.trackingdomain;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.domain.AskingTestDns;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.trackingdomain.TrackingDomain.State;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

class TrackingDomainsTest extends AskingTestDns {

	private static final TrackingFinding REACHED = new TrackingFinding.Reached();

	private static final TrackingFinding UNREACHED = new TrackingFinding.Unreached("no certificate");

	private static final TrackingFinding ELSEWHERE = new TrackingFinding.Elsewhere("found nothing");

	private static final TrackingFinding UNKNOWN = new TrackingFinding.Unknown("no answer");

	@Autowired
	TrackingDomains names;

	@Autowired
	TrackingWatch watch;

	@Autowired
	TrackingNames hosts;

	@Autowired
	Domains domains;

	@Autowired
	Submissions submissions;

	private final Scope sender = Given.sender("free");

	private final Scope scope = Scope.of(this.sender.account());

	private final String domain = this.sender.domain() + ".test";

	@Test
	void newMailHasTheNameOnlyWhileItWorksAndForAnHourAfterThat() {
		TrackingDomain name = create("links");
		assertThat(name.state()).isEqualTo(State.PENDING);
		assertThat(name.target()).isEqualTo("links.platform.test");
		assertThat(linkHost()).isEqualTo("shared");
		assertThat(checked(name, ELSEWHERE).state()).isEqualTo(State.PENDING);
		assertThat(checked(name, UNREACHED)).satisfies((it) -> {
			assertThat(it.state()).isEqualTo(State.DNS_OK);
			assertThat(it.error()).isEqualTo("no certificate");
		});
		assertThat(linkHost()).isEqualTo("shared");
		assertThat(checked(name, REACHED)).satisfies((it) -> {
			assertThat(it.state()).isEqualTo(State.ACTIVE);
			assertThat(it.error()).isNull();
			assertThat(it.used()).isTrue();
		});
		assertThat(linkHost()).isEqualTo(name.name());
		assertThat(checked(name, UNKNOWN).state()).isEqualTo(State.ACTIVE);
		assertThat(checked(name, UNREACHED).failingSince()).isNotNull();
		assertThat(linkHost()).isEqualTo(name.name());
		Given.run("update tracking_domain set failing_since = now() - interval '1 hour' where id = '%s'", name.id());
		assertThat(checked(name, ELSEWHERE).used()).isFalse();
		checked(name, ELSEWHERE);
		assertThat(linkHost()).isEqualTo("shared");
		assertThat(Given
			.rows("select concat_ws(' ', kind, data ->> 'name', data ->> 'state', data ->> 'error') from event "
					+ "where account_id = '%s' and kind like 'tracking%%'", this.scope.account()))
			.containsExactly("tracking_domain.failed " + name.name() + " failing found nothing");
		assertThat(checked(name, REACHED).used()).isTrue();
		assertThat(linkHost()).isEqualTo(name.name());
	}

	@Test
	void theOldestNameThatWorksIsUsed() {
		TrackingDomain first = create("a");
		TrackingDomain second = create("b");
		checked(second, REACHED);
		assertThat(linkHost()).isEqualTo(second.name());
		checked(first, REACHED);
		assertThat(linkHost()).isEqualTo(first.name());
		await(this.names.delete(this.scope, first.id()));
		assertThat(linkHost()).isEqualTo(second.name());
	}

	@Test
	void namesAreBelowAVerifiedDomainOfTheAccountAndUnique() {
		awaitRefusal("Invalid request data", this.names.create(this.scope, this.sender.domain(), "links.other.test"));
		awaitRefusal("Invalid request data", this.names.create(this.scope, this.sender.domain(), this.domain));
		awaitRefusal("Invalid request data", this.names.create(this.scope, null, "links." + this.domain));
		awaitRefusal("Domain not found",
				this.names.create(Scope.of(Given.account("free")), this.sender.domain(), "links." + this.domain));
		create("links");
		awaitRefusal("Duplicate name", this.names.create(this.scope, this.sender.domain(), "LINKS." + this.domain));
		Given.run("update domain set status = 'pending' where id = '%s'", this.sender.domain());
		awaitRefusal("Invalid request data",
				this.names.create(this.scope, this.sender.domain(), "more." + this.domain));
	}

	@Test
	void anAccountHasTenNamesAtMost() {
		for (int i = 0; i < TrackingDomains.MAX_COUNT; i++) {
			create("l" + i);
		}
		awaitRefusal("Tracking domain limit reached",
				this.names.create(this.scope, this.sender.domain(), "more." + this.domain));
		assertThat(await(this.names.list(this.scope))).hasSize(TrackingDomains.MAX_COUNT);
	}

	@Test
	void theLinksOfARemovedNameWorkForNinetyDays() {
		TrackingDomain name = create("links");
		checked(name, REACHED);
		await(this.names.delete(this.scope, name.id()));
		awaitRefusal("Tracking domain not found", this.names.verify(this.scope, name.id()));
		awaitRefusal("Tracking domain not found", this.names.delete(this.scope, name.id()));
		assertThat(linkHost()).isEqualTo("shared");
		assertThat(owners(name)).containsExactly(this.scope.account());
		assertThat(await(this.hosts.mayHaveCertificate(name.name()))).isTrue();
		Given.run("update tracking_domain set removed_at = now() - interval '90 days' where id = '%s'", name.id());
		this.watch.run((_) -> UNKNOWN);
		assertThat(Given.rows("select id from tracking_domain where id = '%s'", name.id())).isEmpty();
	}

	@Test
	void theNamesOfADeletedDomainAreRemovedWithIt() {
		TrackingDomain name = create("links");
		await(this.domains.delete(this.scope, this.sender.domain()));
		assertThat(await(this.names.list(this.scope))).isEmpty();
		assertThat(Given.rows("select removed_at is not null and check_at is null from tracking_domain where id = '%s'",
				name.id()))
			.containsExactly("t");
	}

	@Test
	void onlyNamesOfWhichDnsLeadsHereMayHaveACertificate() {
		TrackingDomain pending = create("pending");
		TrackingDomain ready = create("ready");
		checked(ready, UNREACHED);
		assertThat(await(this.hosts.mayHaveCertificate(pending.name()))).isFalse();
		assertThat(await(this.hosts.mayHaveCertificate(ready.name().toUpperCase(Locale.ROOT)))).isTrue();
		assertThat(await(this.hosts.mayHaveCertificate("unknown." + this.domain))).isFalse();
		assertThat(await(this.hosts.mayHaveCertificate("links.platform.test"))).isFalse();
		assertThat(await(this.hosts.mayHaveCertificate(null))).isFalse();
	}

	private List<UUID> owners(TrackingDomain name) {
		return await(this.hosts.owners(name.name() + ":8443")).stream().map(TrackingNames.Owner::account).toList();
	}

	private TrackingDomain create(String label) {
		TrackingDomain created = await(this.names.create(this.scope, this.sender.domain(), label + "." + this.domain));
		Given.run("update tracking_domain set check_at = null where id = '%s'", created.id());
		return created;
	}

	/** The name after a check with this result; names of other tests are left alone. */
	private TrackingDomain checked(TrackingDomain name, TrackingFinding finding) {
		await(this.names.verify(this.scope, name.id()));
		this.watch.run((due) -> due.id().equals(name.id()) ? finding : UNKNOWN);
		Given.run("update tracking_domain set check_at = null where id = '%s'", name.id());
		return await(this.names.list(this.scope)).stream()
			.filter((it) -> it.id().equals(name.id()))
			.findFirst()
			.orElseThrow();
	}

	/** The tracking domain of a mail that is accepted now. */
	private String linkHost() {
		MailContent content = MailContent.of("Hello", null, "Hello");
		UUID id = await(this.submissions.send(Channel.API, this.sender,
				Submission.of("a@" + this.domain, List.of("b@c.test"), content), null))
			.single()
			.id();
		return Given.rows("select coalesce(link_host, 'shared') from email where id = '%s'", id).getFirst();
	}

}
