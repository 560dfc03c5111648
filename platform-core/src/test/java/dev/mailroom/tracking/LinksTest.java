package dev.mailroom.tracking;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class LinksTest {

	@Autowired
	Links links;

	@Test
	void storingATargetAgainUpdatesItsDayOfLastUse() {
		UUID account = Given.account("free");
		LinkTarget used = LinkTarget.of("https://shop.test/used").orElseThrow();
		LinkTarget other = LinkTarget.of("https://shop.test/other").orElseThrow();
		for (LinkTarget target : List.of(used, other)) {
			Given.run("insert into tracked_link values ('%s', '%s', '%s', now(), '2026-01-01')", account, target.id(),
					target.url());
		}
		LinkTarget fresh = LinkTarget.of("https://shop.test/new").orElseThrow();
		this.links.store(account, List.of(used, fresh));
		assertThat(Given.rows("select url from tracked_link where account_id = '%s' "
				+ "and used_on = (now() at time zone 'UTC')::date", account))
			.containsExactlyInAnyOrder(used.url(), fresh.url());
	}

}
