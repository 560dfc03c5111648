package dev.mailroom.tracking;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class EngagementsTest {

	private static final Visitor PERSON = new Visitor("Mozilla/5.0 (X11) Firefox/140.0", false, null);

	private static final Visitor PROGRAM = new Visitor("Googlebot/2.1", false, null);

	private static final LinkTarget TARGET = LinkTarget.of("https://example.com/a").orElseThrow();

	@Autowired
	Engagements engagements;

	@Autowired
	Links links;

	private final Scope scope = Given.sender("unlimited");

	private final UUID mail = Given.mail(this.scope, "b@c.test");

	private final UUID delivery = UUID
		.fromString(Given.rows("select id from delivery where email_id = '%s'", this.mail).getFirst());

	@Test
	void concurrentOpensAndClicksAreAllCounted() {
		arrived("1 hour");
		await(Flux.range(0, 20)
			.flatMap((i) -> open(PERSON), 20)
			.thenMany(Flux.range(0, 10).flatMap((i) -> click(PERSON), 10))
			.then());
		assertThat(counts()).isEqualTo("20 10");
		assertThat(events("email.opened")).hasSize(20)
			.containsOnly(
					"{\"bot\": false, \"recipient\": \"b@c.test\", \"user_agent\": \"Mozilla/5.0 (X11) Firefox/140.0\"}");
		assertThat(events("email.clicked")).hasSize(10)
			.allMatch((data) -> data.contains("\"click\": {\"url\": \"https://example.com/a\"}"));
	}

	@Test
	void automatedOpensAndClicksAreReportedButNotCounted() {
		arrived("1 hour");
		await(open(PROGRAM).then(click(PROGRAM)));
		assertThat(counts()).isEqualTo("0 0");
		assertThat(events("email.opened")).singleElement().asString().contains("\"bot\": true");
		assertThat(events("email.clicked")).singleElement().asString().contains("\"bot\": true");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
					"YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html" })
	void theFirstLoadByAProxyOfGmailOrYahooIsAnOpenUnlessItFollowsTheDeliveryAtOnce(String agent) {
		Visitor proxy = new Visitor(agent, false, null);
		arrived("0 seconds");
		await(open(proxy));
		assertThat(counts()).isEqualTo("0 0");
		arrived("1 hour");
		await(Flux.range(0, 4).flatMap((_) -> open(proxy), 4).then());
		assertThat(counts()).isEqualTo("1 0");
		assertThat(events("email.opened").stream().filter((data) -> data.contains("\"bot\": false"))).hasSize(1);
		await(click(proxy));
		assertThat(counts()).isEqualTo("1 0");
	}

	@Test
	void theImagesThatApplesProxyLoadsAreNotCounted() {
		arrived("1 hour");
		await(open(new Visitor("Mozilla/5.0", false, null)));
		assertThat(counts()).isEqualTo("0 0");
	}

	@Test
	void aClickRightAfterTheDeliveryIsAutomatedButAnOpenIsNot() {
		await(click(PERSON));
		arrived("0 seconds");
		await(click(PERSON).then(open(PERSON)));
		assertThat(counts()).isEqualTo("1 0");
		assertThat(events("email.clicked")).hasSize(2).allMatch((data) -> data.contains("\"bot\": true"));
	}

	@Test
	void opensBeyondTheRateLimitAreIgnored() {
		arrived("1 hour");
		await(Flux.range(0, 80).concatMap((i) -> open(PERSON)).then());
		assertThat(counts()).isEqualTo("60 0");
		assertThat(events("email.opened")).hasSize(60);
	}

	@Test
	void tokensOfOtherAccountsOrMissingDeliveriesCountNothing() {
		arrived("1 hour");
		UUID stranger = Given.account("free");
		await(this.engagements.recordOpen(new TrackingToken.Open(stranger, this.delivery), PERSON));
		await(this.engagements.recordOpen(new TrackingToken.Open(this.scope.account(), UUID.randomUUID()), PERSON));
		assertThat(counts()).isEqualTo("0 0");
		assertThat(Given.rows("select id from event where account_id = '%s'", stranger)).isEmpty();
	}

	@Test
	void aLinkLeadsToTheTargetStoredForItsAccount() {
		LinkTarget other = LinkTarget.of("https://example.com/" + UUID.randomUUID()).orElseThrow();
		TrackingToken.Click click = new TrackingToken.Click(this.scope.account(), this.delivery, other.id());
		assertThat(this.links.target(click).blockOptional()).isEmpty();
		Await.together(8, (_) -> {
			this.links.store(this.scope.account(), Set.of(other, TARGET));
			return true;
		});
		assertThat(this.links.target(click).block()).isEqualTo(other.url());
		assertThat(this.links.target(new TrackingToken.Click(Given.account("free"), this.delivery, other.id()))
			.blockOptional()).isEmpty();
		assertThat(Given.rows("select url from tracked_link where account_id = '%s'", this.scope.account())).hasSize(2);
	}

	private Mono<Void> open(Visitor visitor) {
		return this.engagements.recordOpen(new TrackingToken.Open(this.scope.account(), this.delivery), visitor);
	}

	private Mono<Void> click(Visitor visitor) {
		return this.engagements.recordClick(new TrackingToken.Click(this.scope.account(), this.delivery, TARGET.id()),
				TARGET.url(), visitor);
	}

	private void arrived(String before) {
		Given.run("update delivery set status = 'delivered', settled_at = now() - interval '%1$s' "
				+ "where id = '%2$s'; delete from queue where id = '%2$s'", before, this.delivery);
	}

	private String counts() {
		return Given.rows("select open_count || ' ' || click_count from email where id = '%s'", this.mail).getFirst();
	}

	private List<String> events(String kind) {
		return Given.rows("select data from event where email_id = '%s' and kind = '%s'", this.mail, kind);
	}

}
