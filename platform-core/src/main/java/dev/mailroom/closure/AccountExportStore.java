package dev.mailroom.closure;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * SQL that reads what an account has. Columns are named one by one, so that no secret is
 * exported because a column was added.
 */
@Repository
class AccountExportStore {

	private final DatabaseClient database;

	AccountExportStore(DatabaseClient database) {
		this.database = database;
	}

	/** Rows in the order of an index, as JSON. */
	Flux<Line> page(Scope scope, Kind kind, @Nullable Line after, int limit) {
		String keys = String.join(", ", kind.keys);
		String beyond = (after == null) ? ""
				: " and (" + keys + ") > ("
						+ IntStream.range(0, kind.keys.size())
							.mapToObj((i) -> ":key" + i + "::" + kind.types.get(i))
							.collect(Collectors.joining(", "))
						+ ")";
		DatabaseClient.GenericExecuteSpec query = this.database.sql(
				"select (to_jsonb(line) - 'transaction_id')::text as json, array[%s] as key from (%s%s order by %s limit :limit) as line"
					.formatted(kind.keys.stream().map((key) -> key + "::text").collect(Collectors.joining(", ")),
							kind.select, beyond, keys))
			.bind("account", scope.account())
			.bind("limit", limit);
		if (after != null) {
			for (int i = 0; i < kind.keys.size(); i++) {
				query = query.bind("key" + i, after.key().get(i));
			}
		}
		return query
			.map((row) -> new Line(Objects.requireNonNull(row.get("json", String.class)),
					List.of(Objects.requireNonNull(row.get("key", String[].class)))))
			.all();
	}

	/** A row as JSON, with the values by which the next page continues. */
	record Line(String json, List<String> key) {
	}

	/** Kinds of data, each a file of the archive. */
	enum Kind {

		ACCOUNT("select id, email, name, plan, created_at, time_zone from account where id = :account", "id uuid"),
		MEMBERS("""
				select person_id, email, name, member.role, member.created_at
				  from member join account as person on person.id = person_id where account_id = :account
				""", "person_id uuid"), DOMAINS("""
				select id, name, status, open_tracking, click_tracking, created_at, verified_at
				  from domain where account_id = :account
				""", "name text"), API_KEYS("""
				select id, domain_id, name, prefix, permissions, created_at, last_used_at, expires_at
				  from api_key where account_id = :account
				""", "id uuid"),
		WEBHOOK_ENDPOINTS(
				"""
						select id, url, events, description, active, created_at from webhook_endpoint where account_id = :account
						""",
				"created_at timestamptz", "id uuid"),
		TEMPLATES("""
				select id, name, subject, html_content, text_content, variables, created_at, updated_at
				  from template where account_id = :account
				""", "created_at timestamptz", "id uuid"),
		CONTACT_BOOKS(
				"select id, name, public_name, double_opt_in, created_at from contact_book where account_id = :account",
				"created_at timestamptz", "id uuid"),
		CONTACTS(
				"""
						select id, contact_book_id, email, first_name, last_name, subscribed, consent, consent_source, consent_at,
						       consent_address, confirmed_at, confirmed_address, properties, created_at, updated_at
						  from contact where account_id = :account
						""",
				"contact_book_id uuid", "created_at timestamptz", "id uuid"),
		SEGMENTS("select id, name, filter, created_at, updated_at from segment where account_id = :account",
				"name text"),
		CAMPAIGNS("""
				select id, name, status, sender, reply_to, subject, contact_book_id, filter, template_id, html_content,
				       text_content, pace, send_at, started_at, total_contacts, created_at, updated_at
				  from campaign where account_id = :account
				""", "created_at timestamptz", "id uuid"),
		SUPPRESSIONS("select id, address, reason, created_at from suppression where account_id = :account",
				"created_at timestamptz", "id uuid"),
		EMAILS("""
				select id, domain_id, api_key_id, person_id, campaign_id, sender, to_emails, cc, bcc, reply_to, subject, tags,
				       stream, status, last_event, scheduled_at, open_count, click_count, created_at,
				       (select jsonb_agg(jsonb_build_object('recipient', recipient, 'status', delivery.status, 'reply', reply,
				                                            'settled_at', settled_at) order by position)
				          from delivery where delivery.email_id = email.id) as deliveries
				  from email where account_id = :account
				""",
				"created_at timestamptz", "id uuid"),
		RECEIVED_EMAILS("""
				select id, domain_id, from_email, from_name, to_emails, cc_emails, recipients, subject, spf_verdict,
				       dkim_verdict, dmarc_verdict, status, created_at
				  from inbound_email where account_id = :account
				""", "created_at timestamptz", "id uuid"),
		EVENTS("select id, kind, email_id, data, created_at, transaction_id from event where account_id = :account",
				"transaction_id xid8", "id uuid"),
		AUDIT_LOG("""
				select id, actor_id, actor_kind, act, target, reason, details,
				       case when actor_kind <> 'operator' then ip end as ip,
				       case when actor_kind <> 'operator' then device end as device, created_at
				  from audit where account_id = :account and act <> 'account.note_added'
				""", "id uuid");

		private final String select;

		private final List<String> keys;

		private final List<String> types;

		Kind(String select, String... keys) {
			this.select = select;
			this.keys = Arrays.stream(keys).map((key) -> key.substring(0, key.indexOf(' '))).toList();
			this.types = Arrays.stream(keys).map((key) -> key.substring(key.indexOf(' ') + 1)).toList();
		}

		String fileName() {
			return name().toLowerCase(Locale.ROOT) + ".ndjson";
		}

		/** Whether rows of people are read, who have accounts of their own. */
		boolean isOfPeople() {
			return this == MEMBERS;
		}

	}

}
