package dev.mailroom.upkeep;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.inbound.InboundEmails;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class InboundRetentionTest {

	@Autowired
	Retention retention;

	@Autowired
	InboundEmails emails;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	@Test
	void theContentOfAnInboundMailIsRemovedBeforeTheMail() {
		UUID old = mail(32);
		UUID young = mail(29);
		removeExpired();
		for (String table : List.of("inbound_content", "inbound_attachment")) {
			assertThat(Given.rows("select inbound_email_id from %s where account_id = '%s'", table, this.account))
				.as(table)
				.containsExactly(young.toString());
		}
		assertThat(loose()).containsExactlyInAnyOrder(old + " raw", old + " 0");
		InboundEmail.Whole shown = this.emails.find(Scope.of(this.account), old).block(Duration.ofSeconds(20));
		assertThat(shown).isNotNull();
		assertThat(shown.text().text()).isNull();
		assertThat(shown.files()).isEmpty();
	}

	@Test
	void anExpiredInboundMailIsRemovedCompletely() {
		UUID old = mail(92);
		UUID young = mail(89);
		removeExpired();
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", this.account))
			.containsExactly(young.toString());
		assertThat(loose()).contains(old + " raw", old + " 0");
		assertThat(Given.rows("select inbound_email_id from inbound_content where inbound_email_id = '%s'", old))
			.isEmpty();
	}

	@Test
	void onlyExpiredDeadLettersAndLinksAreRemoved() {
		for (int days : new int[] { 89, 92, 364, 368 }) {
			Given
				.run("insert into dead_letter (id, account_id, what, why, died_at) values ('%s', '%s', 'record', '%d', "
						+ "now() - interval '%d days')", UUID.randomUUID(), this.account, days, days);
			Given
				.run("insert into tracked_link (account_id, id, url, used_on) values ('%s', '%s', 'https://x.test/%d', "
						+ "(now() at time zone 'UTC')::date - %d)", this.account, UUID.randomUUID(), days, days);
		}
		removeExpired();
		assertThat(Given.rows("select why from dead_letter where account_id = '%s'", this.account))
			.containsExactly("89");
		assertThat(Given.rows("select url from tracked_link where account_id = '%s'", this.account))
			.containsExactlyInAnyOrder("https://x.test/89", "https://x.test/92", "https://x.test/364");
	}

	private void removeExpired() {
		this.retention.removeExpired();
	}

	private List<String> loose() {
		return Given.rows("select owner_id || ' ' || part from blob_loose where account_id = '%s'", this.account);
	}

	/** An inbound mail of the given age, with parts in the bucket. */
	private UUID mail(int days) {
		long millis = Instant.now().minus(Duration.ofDays(days)).toEpochMilli();
		UUID id = new UUID(millis << 16 | 0x7000, UUID.randomUUID().getLeastSignificantBits());
		Given.run(
				"insert into inbound_email (id, account_id, domain_id, from_email, created_at) "
						+ "values ('%s', '%s', '%s', 'a@b.test', now() - interval '%d days')",
				id, this.account, this.domain, days);
		Given.run("insert into inbound_content (inbound_email_id, account_id, text, outside) "
				+ "values ('%s', '%s', 'Hi', '{raw,0}')", id, this.account);
		Given.run(
				"insert into inbound_attachment (inbound_email_id, position, account_id, filename, content_type, size) "
						+ "values ('%s', 0, '%s', 'a.bin', 'text/plain', 100000)",
				id, this.account);
		return id;
	}

}
