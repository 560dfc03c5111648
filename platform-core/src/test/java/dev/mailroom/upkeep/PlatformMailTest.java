package dev.mailroom.upkeep;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.WithCore;
import dev.mailroom.account.Account;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class PlatformMailTest {

	@Autowired
	PlatformMail mail;

	@Test
	void mailIsSentBeforeThePlatformsAccountExists() {
		Given.run("delete from domain where account_id = '%s'", Account.PLATFORM);
		Given.run("delete from account where id = '%s'", Account.PLATFORM);
		String to = UUID.randomUUID() + "@owner.test";
		Flux.range(0, 4).flatMap((i) -> this.mail.send(to, "Hello " + i, "Hi")).blockLast(Duration.ofSeconds(30));
		assertThat(Given.rows("select status from delivery where recipient = '%s'", to)).containsExactly("pending",
				"pending", "pending", "pending");
		assertThat(Given.rows("select status from domain where account_id = '%s'", Account.PLATFORM))
			.containsExactly("verified");
	}

}
