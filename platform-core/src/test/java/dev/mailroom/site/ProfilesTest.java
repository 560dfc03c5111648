package dev.mailroom.site;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.mailroom.site.ReplyRule.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Profiles, sites, rules for replies, and the memory of a pace. */
class ProfilesTest {

	private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

	private static final Site YAHOO = new Site("yahoo", "yahoo", "mta5.am0.yahoodns.net");

	private final Profiles profiles = Profiles.shipped();

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					gmail     | SLOW          | 421 4.7.28 Gmail has detected an unusual rate of mail originating from your IP address [192.0.2.1]. 4.7.28 To protect our users
					gmail     | SLOW          | 421 4.7.0 [192.0.2.1 15] Our system has detected an issue. Try again later, closing connection.
					gmail     | BLOCK         | 421 4.7.26 This mail has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate
					gmail     | IGNORE        | 450 4.2.1 The user you are trying to contact is receiving mail too quickly.
					gmail     | IGNORE        | 452 4.2.2 The recipient's inbox is out of storage space.
					gmail     | PAUSE         | 421 4.7.23 The IP address sending this message does not have a PTR record
					outlook   | SLOW          | 421 RP-001 (BAY004-MC1F3) Unfortunately, some messages from 192.0.2.1 weren't sent. We have limits for how many messages can be sent per hour
					outlook   | PAUSE         | 451 4.7.650 The mail server [192.0.2.1] has been temporarily rate limited due to IP reputation.
					outlook   | BLOCK         | 550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Part of their network is on our block list (S3140).
					microsoft | SLOW          | 451 4.7.500 Server busy. Please try again later from [192.0.2.1]. (S77719)
					microsoft | BLOCK         | 550 5.7.606 Access denied, banned sending IP [192.0.2.1]
					yahoo     | PAUSE         | 421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume or user complaints - 4.16.55.1
					yahoo     | GREYLIST      | 451 [GL01] Message from (192.0.2.1) temporarily deferred
					apple     | BLOCK         | 554 5.7.1 [CS01] Message rejected due to local policy.
					gmx       | SLOW          | 450 Requested mail action not taken: mailbox unavailable Mail send limit exceeded.
					telekom   | BLOCK         | 554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.)
					orange    | SLOW          | 421 mwinf5c04 ME Trop de connexions, veuillez verifier votre configuration. Too many connections, slow down. OFR004_104 [104]
					comcast   | SLOW          | 421 4.1.0 192.0.2.1 Throttled - try again later. RL000003
					mimecast  | GREYLIST      | 451 Internal resources are temporarily unavailable - https://community.mimecast.com/docs/DOC-1369#451
					other     | GREYLIST      | 450 4.2.0 <u@x.test>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/x.test.html
					other     | GREYLIST      | 451 4.7.1 Greylisting in action, please come back in 00:04:59
					other     | GREYLIST      | 450 Try again in 300 seconds
					other     | GREYLIST      | 451 4.7.1 Try again later
					other     | SLOW          | 421 4.7.0 mx.x.test Error: too many connections from 192.0.2.1
					other     | SLOW          | 452 4.3.2 Connection rate limit exceeded
					other     |               | 421 4.3.2 The service is shutting down
					other     |               | 451 4.7.1 Your mail is unwelcome
					other     |               | 450 4.7.1 Client host rejected: cannot find your reverse hostname
					other     |               | 550 5.1.1 No such user
					""")
	void repliesOfProvidersLeadToTheActionOfTheirRules(String profile, Action action, String reply) {
		assertThat(this.profiles.rule(profile, reply).map(ReplyRule::action).orElse(null)).isEqualTo(action);
	}

	@ParameterizedTest
	@CsvSource({ "aspmx.l.google.com, gmail", "mx.GOOGLE.com, gmail", "outlook-com.olc.protection.outlook.com, outlook",
			"shop-test.mail.protection.outlook.com, microsoft", "evilgoogle.com, other", "mx.example.test, other" })
	void aServerBelongsToTheProviderWhoseSuffixItHas(String host, String provider) {
		assertThat(Profiles.provider(host)).isEqualTo(provider);
	}

	@Test
	void aDomainBelongsToAProviderIfAllItsHostsDo() {
		assertThat(this.profiles.site("a.test", List.of("aspmx.l.google.com", "alt1.aspmx.l.google.com")).key())
			.isEqualTo("gmail");
		Site mixed = this.profiles.site("b.test", List.of("mx.b.test", "aspmx.l.google.com"));
		assertThat(mixed).isEqualTo(this.profiles.site("c.test", List.of("aspmx.l.google.com", "mx.b.test")));
		assertThat(mixed.key()).isEqualTo("aspmx.l.google.com mx.b.test");
		assertThat(this.profiles.site("d.test", List.of())).isEqualTo(Site.of("d.test"));
	}

	@Test
	void operatorsReplaceTheFieldsThatTheySet() {
		ProviderProfile shipped = this.profiles.get("gmail");
		Profiles changed = Profiles
			.with(List.of(Profiles.read("{\"name\": \"gmail\", \"sessions\": 3, \"leastTls\": null}"),
					Profiles.read("{\"name\": \"own\", \"suffixes\": [\"x.google.com\"], \"mailsPerMinute\": 7}")));
		assertThat(changed.get("gmail").sessions()).isEqualTo(3);
		assertThat(changed.get("gmail").without(shipped))
			.extracting(ProviderProfile::mailsPerSession, ProviderProfile::rules)
			.containsOnlyNulls();
		assertThat(changed.rule("gmail", "421 4.7.28 unusual rate of mail")).isPresent();
		assertThat(changed.site("a.test", List.of("mx.x.google.com")).profile()).isEqualTo("own");
		assertThat(changed.site("b.test", List.of("mx.y.google.com")).profile()).isEqualTo("gmail");
		assertThat(Profiles.label("own")).isEqualTo("other");
	}

	@ParameterizedTest
	@ValueSource(strings = { "(a)\\1", "a(?=b)", "(", "", "((a{1,100}){1,100})x", "(x{500}|y{500}){3}z" })
	void slowAndInvalidPatternsAreRefused(String pattern) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new ReplyRule(pattern, Action.SLOW, null, null).compile());
	}

	@Test
	void aPatternThatWouldBacktrackIsFast() {
		long began = System.nanoTime();
		ReplyRule rule = new ReplyRule("(a*)*(a|aa)+$", Action.SLOW, null, null);
		assertThat(rule.compile().matcher("a".repeat(999) + "b").find()).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void aPaceIsHalvedAndGrowsByATenthOfTheProfileInTenMinutes() {
		SiteMemory slowed = SiteMemory.none(YAHOO, "", NOON).slowed(NOON, 1_000, "421 slow");
		assertThat(slowed.paceAt(NOON)).isEqualTo(0.5);
		assertThat(slowed.baseRate()).isEqualTo(1_000);
		assertThat(slowed.slowed(NOON.plusSeconds(29), 10, "421 slow")).isEqualTo(slowed);
		SiteMemory again = slowed.slowed(NOON.plusSeconds(30), 10, "421 slow");
		assertThat(again.pace()).isEqualTo(0.25);
		assertThat(again.baseRate()).isEqualTo(1_000);
		assertThat(again.paceAt(NOON.plusSeconds(30 + 599))).isEqualTo(0.25);
		assertThat(again.paceAt(NOON.plusSeconds(30 + 600))).isEqualTo(0.35);
		assertThat(again.isOver(NOON.plusSeconds(30 + 8 * 600))).isTrue();
	}

	@Test
	void pausesDoubleUpToTwoHoursAndBeginAnewAfterACleanHour() {
		SiteMemory memory = SiteMemory.none(YAHOO, "", NOON).paused(NOON, null, "421 pause");
		assertThat(memory.pausedFor(NOON)).isEqualTo(Duration.ofMinutes(1));
		assertThat(memory.paused(NOON.plusSeconds(5), null, "421 pause")).isEqualTo(memory);
		Instant now = NOON.plusSeconds(61);
		memory = memory.paused(now, null, "421 pause");
		assertThat(memory.pausedFor(now)).isEqualTo(Duration.ofMinutes(2));
		for (int i = 0; i < 12; i++) {
			now = now.plus(memory.pausedFor(now)).plusSeconds(1);
			memory = memory.paused(now, null, "421 pause");
		}
		assertThat(memory.pausedFor(now)).isEqualTo(Duration.ofHours(2));
		now = now.plus(memory.pausedFor(now)).plus(Duration.ofHours(1)).plusSeconds(1);
		assertThat(memory.paused(now, null, "421 pause").pausedFor(now)).isEqualTo(Duration.ofMinutes(1));
	}

}
