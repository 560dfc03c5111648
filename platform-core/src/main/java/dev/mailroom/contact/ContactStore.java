package dev.mailroom.contact;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Repository;

/** SQL of contacts. */
@Repository
class ContactStore {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	private static final String SAVE = """
			with entry as (
			    select * from unnest(:ids::uuid[], :emails::text[], :keys::text[], :firsts::text[], :lasts::text[],
			                         :subscribed::boolean[], :properties::text[], :resubscribes::boolean[])
			           as entry(id, email, email_key, first_name, last_name, subscribed, properties, resubscribe)),
			before as (
			    select * from contact
			     where account_id = :account and contact_book_id = :book and email_key = any (:keys::text[])
			     order by id for update),
			saved as (
			    insert into contact (id, account_id, contact_book_id, email, email_key, first_name, last_name, subscribed,
			                         properties, created_at, updated_at)
			    select entry.id, :account, :book, entry.email, entry.email_key,
			           coalesce(entry.first_name, before.first_name, ''), coalesce(entry.last_name, before.last_name, ''),
			           case when entry.resubscribe and coalesce(entry.subscribed, true) then true
			                when before.id is null then coalesce(entry.subscribed, true)
			                else before.subscribed and coalesce(entry.subscribed, true) end,
			           coalesce(entry.properties::jsonb, before.properties, '{}'), :now, :now
			      from entry left join before on before.email_key = entry.email_key
			    on conflict (account_id, contact_book_id, email_key) do update
			       set email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
			           subscribed = excluded.subscribed, properties = excluded.properties,
			           updated_at = excluded.updated_at
			    returning *)
			select saved.*, before.id is null as added,
			       (before.email, before.first_name, before.last_name, before.subscribed, before.properties)
			           is distinct from (saved.email, saved.first_name, saved.last_name, saved.subscribed, saved.properties)
			           as changed,
			       coalesce(before.subscribed, false) and not saved.subscribed as unsubscribed
			  from saved left join before on before.id = saved.id
			""";

	private static final String CHANGE = """
			with before as (
			    select * from contact
			     where id = :id and contact_book_id = :book and account_id = :account for update),
			saved as (
			    update contact
			       set first_name = coalesce(:first, contact.first_name), last_name = coalesce(:last, contact.last_name),
			           subscribed = coalesce(:subscribed, contact.subscribed),
			           properties = coalesce(:properties::jsonb, contact.properties), updated_at = :now
			      from before where contact.id = before.id and contact.account_id = :account
			    returning contact.*)
			select saved.*, false as added,
			       (before.first_name, before.last_name, before.subscribed, before.properties)
			           is distinct from (saved.first_name, saved.last_name, saved.subscribed, saved.properties) as changed,
			       before.subscribed and not saved.subscribed as unsubscribed
			  from saved join before on before.id = saved.id
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
	 * {@code resubscribe}. The caller has locked the account.
	 */
	Flux<SaveResult> save(Scope scope, UUID bookId, List<ContactEntry> entries, Instant now) {
		return this.database.sql(SAVE)
			.bind("account", scope.account())
			.bind("book", bookId)
			.bind("now", now)
			.bind("ids", entries.stream().map((_) -> this.ids.generate()).toArray(UUID[]::new))
			.bind("emails", texts(entries, ContactEntry::email))
			.bind("keys", texts(entries, ContactEntry::emailKey))
			.bind("firsts", texts(entries, ContactEntry::firstName))
			.bind("lasts", texts(entries, ContactEntry::lastName))
			.bind("subscribed", entries.stream().map(ContactEntry::subscribed).toArray(Boolean[]::new))
			.bind("properties", texts(entries, (entry) -> text(entry.properties())))
			.bind("resubscribes", entries.stream().map(ContactEntry::resubscribe).toArray(Boolean[]::new))
			.map(this::saved)
			.all();
	}

	/** Changes a contact; empty if the book has no contact with this id. */
	Mono<SaveResult> change(Scope scope, UUID bookId, UUID id, Contact.Change change, Instant now) {
		GenericExecuteSpec sql = this.database.sql(CHANGE)
			.bind("id", id)
			.bind("book", bookId)
			.bind("account", scope.account())
			.bind("now", now);
		sql = value(sql, "first", change.firstName(), String.class);
		sql = value(sql, "last", change.lastName(), String.class);
		sql = value(sql, "subscribed", change.subscribed(), Boolean.class);
		return value(sql, "properties", text(change.properties()), String.class).map(this::saved).one();
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

	Mono<Membership> membership(Scope scope, UUID id) {
		return this.database.sql("""
				select book.id as book_id, book.name as book, contact.subscribed
				  from contact join contact_book book on book.id = contact_book_id and book.account_id = :account
				 where contact.id = :id and contact.account_id = :account
				""").bind("id", id).bind("account", scope.account()).mapProperties(Membership.class).one();
	}

	Mono<UUID> subscribed(Scope scope, UUID bookId, String key) {
		return this.database.sql("""
				select id from contact
				 where account_id = :account and contact_book_id = :book and email_key = :key and subscribed
				""").bind("account", scope.account()).bind("book", bookId).bind("key", key).mapValue(UUID.class).one();
	}

	Mono<Contact> delete(Scope scope, UUID bookId, UUID id) {
		return this.database.sql("""
				delete from contact where id = :id and contact_book_id = :book and account_id = :account returning *
				""")
			.bind("id", id)
			.bind("book", bookId)
			.bind("account", scope.account())
			.map((row) -> contact(row, this.json))
			.one();
	}

	private static <T> GenericExecuteSpec value(GenericExecuteSpec sql, String name, @Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	private @Nullable String text(@Nullable Map<String, @Nullable Object> properties) {
		return (properties != null) ? this.json.writeValueAsString(properties) : null;
	}

	private SaveResult saved(Readable row) {
		return new SaveResult(contact(row, this.json), required(row, "added", Boolean.class),
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
				required(row, "created_at", Instant.class), required(row, "updated_at", Instant.class));
	}

	private static @Nullable String[] texts(List<ContactEntry> entries,
			Function<ContactEntry, @Nullable String> column) {
		return entries.stream().map(column).toArray(String[]::new);
	}

	private static <T> T required(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

}
