package dev.mailroom.campaign;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

import static dev.mailroom.Await.await;

/**
 * A new account with a verified domain and a contact book of three, one of them
 * unsubscribed.
 */
final class Owner {

	final Scope scope = Scope.of(Given.account("pro"));

	final UUID domain = Given.domain(this.scope.account());

	final UUID book = book(this.scope);

	Campaign.Form form(String name, @Nullable UUID template, @Nullable String text, @Nullable String sendAt) {
		return new Campaign.Form(name, "Ann <ann@" + this.domain + ".test>", List.of(), "The subject", this.book,
				template, null, text, sendAt);
	}

	Campaign.Form form(UUID book, @Nullable UUID template, @Nullable String text) {
		return new Campaign.Form("n", "Ann <ann@" + this.domain + ".test>", List.of(), "The subject", book, template,
				null, text, null);
	}

	/** A campaign in a state that may be reachable by the system only. */
	UUID campaign(Campaigns campaigns, CampaignStatus status) {
		UUID id = await(campaigns.create(this.scope, form("n", null, "Hello", null))).id();
		Given.run("update campaign set status = '%1$s', "
				+ "send_at = case when '%1$s' <> 'draft' then now() + interval '1 hour' end, "
				+ "started_at = case when '%1$s' in ('running', 'paused', 'sent') then now() end where id = '%2$s'",
				status.contractName(), id);
		return id;
	}

	/**
	 * A scheduled campaign that has been due for a time; a negative one is in the future.
	 */
	UUID scheduled(Campaigns campaigns, String dueFor) {
		UUID id = campaign(campaigns, CampaignStatus.SCHEDULED);
		Given.run("update campaign set send_at = now() - interval '%s' where id = '%s'", dueFor, id);
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

	/** The status of a campaign; no row if there is no such campaign. */
	static List<String> status(UUID id) {
		return Given.rows("select status from campaign where id = '%s'", id);
	}

	/** The kinds of a campaign's events, oldest first. */
	static List<String> events(UUID id) {
		return Given.rows("select kind from event where data->>'id' = '%s' order by created_at, id", id);
	}

}
