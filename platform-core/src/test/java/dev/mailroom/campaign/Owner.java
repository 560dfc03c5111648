package dev.mailroom.campaign;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** An account with a domain and a contact book of three, one of them unsubscribed. */
final class Owner {

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	final Scope scope = Scope.of(Given.account("pro"));

	final UUID domain = Given.domain(this.scope.account());

	final UUID book = book(this.scope);

	Campaign.Asked asked(String name, UUID template, String text, String sendAt) {
		return new Campaign.Asked(name, "Ann <ann@" + this.domain + ".test>", List.of(), "The subject", this.book,
				template, null, text, sendAt);
	}

	Campaign.Asked asked(UUID book, UUID template, String text) {
		return new Campaign.Asked("n", "Ann <ann@" + this.domain + ".test>", List.of(), "The subject", book, template,
				null, text, null);
	}

	/** A campaign that stands where no act but the system's own may have brought it. */
	UUID campaign(Campaigns campaigns, Status status) {
		UUID id = await(campaigns.create(this.scope, asked("n", null, "Hello", null))).id();
		Given.run("update campaign set status = '%1$s', send_at = now() + interval '1 hour', "
				+ "started_at = case when '%1$s' in ('running', 'paused', 'sent') then now() end where id = '%2$s'",
				status.wire(), id);
		if (status == Status.DRAFT) {
			Given.run("update campaign set send_at = null where id = '%s'", id);
		}
		return id;
	}

	UUID scheduled(Campaigns campaigns, String ago) {
		UUID id = campaign(campaigns, Status.SCHEDULED);
		Given.run("update campaign set send_at = now() - interval '%s' where id = '%s'", ago, id);
		return id;
	}

	UUID scheduled(Campaigns campaigns, Scope other, String ago) {
		UUID id = scheduled(campaigns, ago);
		Given.run("update campaign set account_id = '%s' where id = '%s'", other.account(), id);
		return id;
	}

	static UUID book(Scope scope) {
		UUID id = UUID.randomUUID();
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", id, scope.account());
		contact(scope, id, true);
		contact(scope, id, true);
		contact(scope, id, false);
		return id;
	}

	static void contact(Scope scope, UUID book, boolean subscribed) {
		Given.run("insert into contact (id, account_id, contact_book_id, email, email_key, subscribed, created_at, "
				+ "updated_at) values ('%1$s', '%2$s', '%3$s', '%1$s@x.test', '%1$s@x.test', %4$s, now(), now())",
				UUID.randomUUID(), scope.account(), book, subscribed);
		Given.run("update contact_book set contacts = contacts + 1 where id = '%s'", book);
	}

	static List<String> status(UUID id) {
		return Given.rows("select status from campaign where id = '%s'", id);
	}

	static List<String> events(UUID id) {
		return Given.rows("select kind from event where data->>'id' = '%s' order by created_at, id", id);
	}

	static void refused(String error, Mono<?> refusing) {
		StepVerifier.create(refusing)
			.expectErrorSatisfies((it) -> assertThat(((Refused) it).refusal().error()).isEqualTo(error))
			.verify(DEADLINE);
	}

}
