package dev.mailroom.mail.log;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.contact.Contact;
import dev.mailroom.database.IdRange;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL that finds mails. */
@Repository
class MailSearchStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	/** The mails that are read. */
	private static final String READ = "(select * from email where %s order by %s limit :read)";

	/** The mails that are read of a status that has a table of its own. */
	private static final String READ_TROUBLE = """
			(select email.* from unnest(:statuses::text[]) as wanted(state) cross join lateral (
			     select id from email_trouble where %s and status = wanted.state order by %s limit :read) as trouble
			   join email on email.id = trouble.id and email.account_id = :account)
			""";

	/**
	 * The mails that are read of those with the ids of a query. Each is read by its id: a
	 * join could read all mails.
	 */
	private static final String READ_WAITING = """
			(select mail.* from (select distinct email_id from (%s limit :read) as queued) as waiting
			  cross join lateral (
			     select * from email where email.id = waiting.email_id and email.account_id = :account limit 1) as mail
			  where %s order by %s limit :read)
			""";

	/** Mails that match, among the first that are read; the text has no wildcards. */
	private static final String FIND = """
			select * from %s as first_read
			 where (:text = '' or strpos(lower(subject), :text) > 0
			        or strpos(lower(array_to_string(to_emails || cc || bcc, ' ')), :text) > 0)%s
			 order by %s limit :limit
			""";

	/** Campaigns among which the mails to a contact are found. */
	private static final String RECENT_CAMPAIGNS = """
			(select id, name from campaign where account_id = :account and started_at is not null
			  order by created_at desc, id desc limit 200) as recent
			cross join lateral (
			    select email_id, unsubscribed_at from campaign_recipient
			     where campaign_id = recent.id and contact_id = :contact and account_id = :account limit 1) as found
			""";

	/** Each mail is read by its id: a join could read all mails. */
	private static final String TO_CONTACT = """
			select mail.* from (
			    select email_id as id from %s where email_id is not null
			     union
			    select id from (select id, to_emails, cc, bcc from email where account_id = :account
			                     order by created_at desc, id desc limit :read) as newest
			     where strpos(lower(array_to_string(to_emails || cc || bcc, ' ')), :address) > 0
			       and coalesce((select true from delivery
			                      where delivery.email_id = newest.id and delivery.account_id = :account
			                        and lower(recipient) = :address limit 1), false)) as mine
			 cross join lateral (
			    select * from email where email.id = mine.id and email.account_id = :account limit 1) as mail
			 order by mail.created_at desc, mail.id desc limit 20
			""".formatted(RECENT_CAMPAIGNS);

	/** Limit on the difference between the clocks of the processes that create ids. */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

	private final DatabaseClient database;

	private final JsonMapper json;

	MailSearchStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	Flux<Email> find(Scope scope, MailSearch.Query query, MailFilter filter) {
		if (query.id() != null) {
			return this.database.sql("select * from email where id = :id and account_id = :account")
				.bind("id", query.id())
				.bind("account", scope.account())
				.map(this::email)
				.all();
		}
		String order = order(query.page());
		String mine = "account_id = :account" + range(filter) + beyond(query.page());
		String read = filter.isWaiting()
				? READ_WAITING.formatted(filter.isLater() ? LogQuery.LATER_FIRST : LogQuery.QUEUED, mine, order)
				: (filter.isTrouble() ? READ_TROUBLE : READ).formatted(mine, order);
		String sql = FIND.formatted(read, conditions(filter), order);
		return bind(sql, query).bindValues(values(filter)).bind("account", scope.account()).map(this::email).all();
	}

	Flux<Email> toContact(Scope scope, Contact contact) {
		return this.database.sql(TO_CONTACT)
			.bind("account", scope.account())
			.bind("contact", contact.id())
			.bind("address", contact.email().toLowerCase(Locale.ROOT))
			.bind("read", MailSearch.MAX_READ)
			.map(this::email)
			.all();
	}

	Flux<MailSearch.Unsubscription> unsubscriptions(Scope scope, UUID contactId) {
		return this.database
			.sql("select id as campaign_id, name as campaign_name, unsubscribed_at as at from " + RECENT_CAMPAIGNS
					+ " where unsubscribed_at is not null order by unsubscribed_at desc")
			.bind("account", scope.account())
			.bind("contact", contactId)
			.mapProperties(MailSearch.Unsubscription.class)
			.all();
	}

	private static String order(Page.Request page) {
		return "created_at %1$s, id %1$s".formatted(page.direction());
	}

	/** Restricts a list to what is beyond the cursor. */
	private static String beyond(Page.Request page) {
		return (page.cursor() != null) ? " and (created_at, id) " + page.beyond() + " (:created, :cursor)" : "";
	}

	/** Conditions that an index supports; the ids select the partitions. */
	private static String range(MailFilter filter) {
		return ((filter.domainId() != null) ? " and domain_id = :domain" : "")
				+ ((filter.from() != null) ? " and created_at >= :from and id >= :lowest" : "")
				+ ((filter.until() != null) ? " and created_at < :until and id < :highest" : "");
	}

	/** Conditions on the mails that were read. */
	private static String conditions(MailFilter filter) {
		return ((filter.status() != null) ? " and status = :status" : "") + states(filter)
				+ ((filter.campaignId() != null) ? " and campaign_id = :campaign" : "")
				+ ((filter.stream() != null) ? " and stream = :stream" : "")
				+ ((filter.tag() != null) ? " and tags -> :tag::text is not null" : "")
				+ ((filter.tag() != null && filter.tagValue() != null) ? " and tags ->> :tag::text = :value" : "");
	}

	private static String states(MailFilter filter) {
		return filter.states().isEmpty() ? ""
				: filter.states()
					.stream()
					.map(MailSearchStore::state)
					.collect(Collectors.joining(" or ", " and (", ")"));
	}

	private static String state(MailState state) {
		return switch (state) {
			case SCHEDULED -> "status = 'pending' and last_event = 'scheduled'";
			case QUEUED -> "status = 'pending' and last_event not in ('scheduled', 'delivery_delayed')";
			case DEFERRED -> "status = 'pending' and last_event = 'delivery_delayed'";
			case SUPPRESSED -> "status = 'failed' and last_event = 'suppressed'";
			case CANCELLED -> "status = 'failed' and last_event = 'cancelled'";
			case FAILED -> "status = 'failed' and last_event not in ('suppressed', 'cancelled')";
			case SENT, DELIVERED, BOUNCED, COMPLAINED -> "status = '" + state.status() + "'";
		};
	}

	private static Map<String, Object> values(MailFilter filter) {
		Map<String, Object> values = new HashMap<>();
		put(values, "domain", filter.domainId());
		put(values, "status", filter.status());
		put(values, "statuses", filter.isTrouble() ? filter.statuses().toArray(String[]::new) : null);
		put(values, "campaign", filter.campaignId());
		put(values, "stream", filter.stream());
		put(values, "tag", filter.tag());
		put(values, "value", (filter.tag() != null) ? filter.tagValue() : null);
		put(values, "from", filter.from());
		put(values, "until", filter.until());
		if (filter.from() != null) {
			values.put("lowest", IdRange.lowest(filter.from().minus(CLOCK_DIFFERENCE)));
		}
		if (filter.until() != null) {
			values.put("highest", IdRange.lowest(filter.until().plus(CLOCK_DIFFERENCE)));
		}
		return values;
	}

	private static void put(Map<String, Object> values, String name, @Nullable Object value) {
		if (value != null) {
			values.put(name, value);
		}
	}

	/** The ids are in the order of creation, and the primary key is their index. */
	@AcrossAccounts("operators find the mails of all accounts")
	Flux<Email> findAcrossAccounts(MailSearch.Query query) {
		return (query.id() != null)
				? this.database.sql("select * from email where id = :id").bind("id", query.id()).map(this::email).all()
				: bind(FIND.formatted(READ.formatted("true", "id desc"), beyond(query.page()), order(query.page())),
						query)
					.map(this::email)
					.all();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, MailSearch.Query query) {
		Page.@Nullable Cursor cursor = query.page().cursor();
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(sql)
			.bind("text", query.text())
			.bind("read", MailSearch.MAX_READ)
			.bind("limit", query.page().limit() + 1);
		return (cursor != null) ? bound.bind("created", cursor.createdAt()).bind("cursor", cursor.id()) : bound;
	}

	private Email email(Readable row) {
		return new Email(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), text(row, "sender"), text(row, "from_email"),
				texts(row, "to_emails"), texts(row, "cc"), texts(row, "bcc"), texts(row, "reply_to"),
				text(row, "subject"), tags(row), text(row, "stream"), text(row, "status"), text(row, "last_event"),
				row.get("scheduled_at", Instant.class), value(row, "open_count", Integer.class),
				value(row, "click_count", Integer.class), value(row, "created_at", Instant.class));
	}

	private Map<String, Object> tags(Readable row) {
		return Objects.requireNonNull(this.json.readValue(value(row, "tags", Json.class).asString(), OBJECT));
	}

	private static String text(Readable row, String column) {
		return value(row, column, String.class);
	}

	private static List<String> texts(Readable row, String column) {
		return List.of(value(row, column, String[].class));
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
