package dev.mailroom.contact;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import dev.mailroom.database.Columns;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of contacts. */
@Repository
class ContactStore {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	private static final String SAVE = """
			with entry as (
			    select * from unnest(:ids::uuid[], :emails::text[], :keys::text[], :firsts::text[], :lasts::text[],
			                         :subscribed::boolean[], :properties::text[], :resubscribes::boolean[],
			                         :sources::text[], :stated::boolean[])
			           as entry(id, email, email_key, first_name, last_name, subscribed, properties, resubscribe, source,
			                    stated)),
			before as (
			    select contact.* from entry
			      -- The range and the order name one address. Only the unique index has this order: by any (:keys), a book
			      -- without statistics is read as a whole for each call.
			      cross join lateral (
			        select id from contact
			         where account_id = :account and contact_book_id = :book
			           and email_key >= entry.email_key and email_key <= entry.email_key
			         order by email_key limit 1) as found
			      join contact on contact.id = found.id
			     order by contact.id for update of contact),
			former as (
			    delete from former_contact using entry
			     where former_contact.account_id = :account and former_contact.contact_book_id = :book
			       and address_hash = sha256(convert_to(:book::uuid || entry.email_key, 'UTF8'))
			    returning former_contact.id, former_contact.unsubscribed, entry.email_key),
			wanted as (
			    select entry.*, coalesce(former.id, entry.id) as contact_id, coalesce(before.subscribed, false) as was_subscribed,
			           case when entry.resubscribe and coalesce(entry.subscribed, true) then true
			                when before.id is null then coalesce(entry.subscribed, true) and not coalesce(former.unsubscribed, false)
			                else before.subscribed and coalesce(entry.subscribed, true) end as wants,
			           double_opt_in and not entry.stated as unproved
			      from entry left join before on before.email_key = entry.email_key
			      left join former on former.email_key = entry.email_key
			      join contact_book on contact_book.id = :book and contact_book.account_id = :account),
			saved as (
			    insert into contact (id, account_id, contact_book_id, email, email_key, first_name, last_name, subscribed,
			                         properties, consent, consent_source, consent_at, consent_address, created_at,
			                         updated_at)
			    select contact_id, :account, :book, wanted.email, wanted.email_key,
			           coalesce(wanted.first_name, before.first_name, ''), coalesce(wanted.last_name, before.last_name, ''),
			           wants and (was_subscribed or not unproved),
			           coalesce(wanted.properties::jsonb, before.properties, '{}'),
			           case when wants and not was_subscribed
			                then case when wanted.stated then 'stated' when unproved then 'pending' end
			                when not coalesce(wanted.subscribed, true) then nullif(before.consent, 'pending')
			                else before.consent end,
			           case when wants and not was_subscribed then wanted.source else before.consent_source end,
			           case when wants and not was_subscribed then :now else before.consent_at end,
			           case when wants and not was_subscribed then nullif(:address, '') else before.consent_address end,
			           :now, :now
			      from wanted left join before on before.email_key = wanted.email_key
			    on conflict (account_id, contact_book_id, email_key) do update
			       set email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
			           subscribed = excluded.subscribed, properties = excluded.properties, consent = excluded.consent,
			           consent_source = excluded.consent_source, consent_at = excluded.consent_at,
			           consent_address = excluded.consent_address, updated_at = excluded.updated_at
			    returning *),
			"""
			+ ContactChangeStore.REQUEST_CONFIRMATION
			+ """
					select saved.*, before.id is null as added,
					       (before.email, before.first_name, before.last_name, before.subscribed, before.properties, before.consent)
					           is distinct from (saved.email, saved.first_name, saved.last_name, saved.subscribed,
					                             saved.properties, saved.consent)
					           as changed,
					       coalesce(before.subscribed, false) and not saved.subscribed as unsubscribed
					  from saved left join before on before.id = saved.id
					""";

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	private final JsonMapper json;

	ContactStore(DatabaseClient database, NoArgGenerator ids, JsonMapper json) {
		this.database = database;
		this.ids = ids;
		this.json = json;
	}

	/**
	 * Adds new contacts and updates existing ones in one statement. A null field stays as
	 * it is. A contact that has unsubscribed stays unsubscribed unless the entry says
	 * {@code resubscribe}, also if it was deleted since; its id is the same then. If the
	 * book requires a confirmation, a contact that would become subscribed becomes
	 * pending instead. The caller has locked the account.
	 * @param address network address of the request; empty if unknown
	 */
	Flux<SaveResult> save(Scope scope, UUID bookId, List<ContactEntry> entries, String address, Instant now) {
		Columns<ContactEntry> columns = Columns.of(entries);
		return this.database.sql(SAVE)
			.bind("account", scope.account())
			.bind("book", bookId)
			.bind("now", now)
			.bind("address", address)
			.bind("ids", columns.uuids((_) -> this.ids.generate()))
			.bind("emails", columns.texts(ContactEntry::email))
			.bind("keys", columns.texts(ContactEntry::emailKey))
			.bind("firsts", columns.texts(ContactEntry::firstName))
			.bind("lasts", columns.texts(ContactEntry::lastName))
			.bind("subscribed", columns.booleans(ContactEntry::subscribed))
			.bind("properties", columns.texts((entry) -> text(entry.properties())))
			.bind("resubscribes", columns.booleans(ContactEntry::resubscribe))
			.bind("sources", columns.texts((entry) -> entry.origin().source().contractName()))
			.bind("stated", columns.booleans((entry) -> entry.origin().stated()))
			.map((row) -> saved(row, this.json))
			.all();
	}

	Mono<Contact> find(Scope scope, UUID bookId, UUID id) {
		return this.database.sql("""
				select * from contact where id = :id and contact_book_id = :book and account_id = :account
				""")
			.bind("id", id)
			.bind("book", bookId)
			.bind("account", scope.account())
			.map((row) -> contact(row, this.json))
			.one();
	}

	/** The address of a contact in the form that identifies it within its book. */
	Mono<String> emailKey(Scope scope, UUID bookId, UUID id) {
		return this.database.sql("""
				select email_key from contact where id = :id and contact_book_id = :book and account_id = :account
				""").bind("id", id).bind("book", bookId).bind("account", scope.account()).mapValue(String.class).one();
	}

	Mono<UUID> subscribed(Scope scope, UUID bookId, String key) {
		return this.database.sql("""
				select id from contact
				 where account_id = :account and contact_book_id = :book and email_key = :key and subscribed
				""").bind("account", scope.account()).bind("book", bookId).bind("key", key).mapValue(UUID.class).one();
	}

	Mono<Contact> delete(Scope scope, UUID bookId, UUID id) {
		return this.database
			.sql("""
					with deleted as (
					    delete from contact where id = :id and contact_book_id = :book and account_id = :account returning *)
					"""
					+ ContactChangeStore.REMEMBER)
			.bind("id", id)
			.bind("book", bookId)
			.bind("account", scope.account())
			.map((row) -> contact(row, this.json))
			.one();
	}

	private @Nullable String text(@Nullable Map<String, @Nullable Object> properties) {
		return (properties != null) ? this.json.writeValueAsString(properties) : null;
	}

	/** The saved contact of a row. */
	static SaveResult saved(Readable row, JsonMapper json) {
		return new SaveResult(contact(row, json), required(row, "added", Boolean.class),
				required(row, "changed", Boolean.class), required(row, "unsubscribed", Boolean.class));
	}

	/** The contact of a row. */
	static Contact contact(Readable row, JsonMapper json) {
		@Nullable Map<String, @Nullable Object> properties = json.readValue(required(row, "properties", Json.class).asString(),
				OBJECT);
		return new Contact(required(row, "id", UUID.class), required(row, "account_id", UUID.class),
				required(row, "contact_book_id", UUID.class), required(row, "email", String.class),
				required(row, "first_name", String.class), required(row, "last_name", String.class),
				required(row, "subscribed", Boolean.class), (properties != null) ? properties : new LinkedHashMap<>(),
				consent(row), required(row, "created_at", Instant.class), required(row, "updated_at", Instant.class));
	}

	private static Consent consent(Readable row) {
		@Nullable String state = row.get("consent", String.class);
		@Nullable String source = row.get("consent_source", String.class);
		return new Consent((state != null) ? Consent.State.valueOf(state.toUpperCase(Locale.ROOT)) : null,
				(source != null) ? Consent.Source.valueOf(source.toUpperCase(Locale.ROOT)) : null,
				row.get("consent_at", Instant.class),
				Objects.requireNonNullElse(row.get("consent_address", String.class), ""),
				row.get("confirmed_at", Instant.class),
				Objects.requireNonNullElse(row.get("confirmed_address", String.class), ""));
	}

	private static <T> T required(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
