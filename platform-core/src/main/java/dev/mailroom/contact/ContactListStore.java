package dev.mailroom.contact;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of many contacts at once: lists, counts and deletion. */
@Repository
class ContactListStore {

	private final DatabaseClient database;

	private final JsonMapper json;

	ContactListStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	Flux<Contact> list(Scope scope, UUID bookId, Contact.Filter filter, Page.Request page) {
		String order = page.direction();
		// The offset skips entries of the index without reading their rows.
		String sql = "select contact.* from (select id from contact where account_id = :account and contact_book_id = :book"
				+ matching(filter) + PageSql.of(page) + ") as page"
				+ " join contact on contact.id = page.id and contact.account_id = :account"
				+ " order by contact.created_at " + order + ", contact.id " + order;
		return PageSql.bind(filtered(sql, scope, bookId, filter), page, page.limit() + 1)
			.map((row) -> ContactStore.contact(row, this.json))
			.all();
	}

	/**
	 * Contacts of any book whose address keys begin with a text. Each book takes one
	 * range of the index of its addresses; the end of the range is exact in collations
	 * that order by code points.
	 */
	Flux<Contact.Found> byAddress(Scope scope, String beginning, int limit) {
		return this.database.sql("""
				select found.*, book.name as book_name from contact_book book cross join lateral (
				       select * from contact
				        where account_id = :account and contact_book_id = book.id
				          and email_key >= :beginning and email_key < :end and starts_with(email_key, :beginning)
				        order by email_key limit :limit) as found
				 where book.account_id = :account order by found.email_key, found.id limit :limit
				""")
			.bind("account", scope.account())
			.bind("beginning", beginning)
			.bind("end", beginning + Character.toString(Character.MAX_CODE_POINT))
			.bind("limit", limit)
			.map((row) -> new Contact.Found(ContactStore.contact(row, this.json),
					Objects.requireNonNull(row.get("book_name", String.class))))
			.all();
	}

	/** The number of contacts that match. */
	Mono<Long> count(Scope scope, UUID bookId, Contact.Filter filter) {
		return filtered("select count(*) from contact where account_id = :account and contact_book_id = :book"
				+ matching(filter), scope, bookId, filter)
			.mapValue(Long.class)
			.one();
	}

	/** Figures of several books; a book of another account is left out. */
	Flux<ContactBook.Figures> figures(Scope scope, Collection<UUID> bookIds, Instant since) {
		return this.database
			.sql("""
					select id as book_id,
					       greatest(0, contacts - (select count(*) from contact
					         where contact.account_id = :account and contact_book_id = book.id and not subscribed)) as subscribed,
					       (select count(*) from contact
					         where contact.account_id = :account and contact_book_id = book.id
					           and contact.created_at >= :since) as added
					  from contact_book book where account_id = :account and id = any (:ids)
					""")
			.bind("account", scope.account())
			.bind("since", since)
			.bind("ids", bookIds.toArray(UUID[]::new))
			.mapProperties(ContactBook.Figures.class)
			.all();
	}

	/**
	 * Whether the contacts with these addresses are subscribed, by address key; absent
	 * for an address that the book does not have.
	 */
	Mono<Map<String, Boolean>> subscriptions(Scope scope, UUID bookId, Collection<String> keys) {
		return this.database.sql("""
				select email_key, subscribed from contact
				 where account_id = :account and contact_book_id = :book and email_key = any (:keys)
				""")
			.bind("account", scope.account())
			.bind("book", bookId)
			.bind("keys", keys.toArray(String[]::new))
			.map((row) -> Map.entry(Objects.requireNonNull(row.get("email_key", String.class)),
					Objects.requireNonNull(row.get("subscribed", Boolean.class))))
			.all()
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
	}

	/**
	 * The position that many contacts after another one, oldest first; empty beyond the
	 * last.
	 */
	Mono<Page.Cursor> positionAfter(Scope scope, UUID bookId, Page.Cursor after, int count) {
		return this.database.sql("""
				select created_at, id from contact
				 where account_id = :account and contact_book_id = :book and (created_at, id) > (:created, :cursor)
				 order by created_at, id offset :skipped limit 1
				""")
			.bind("account", scope.account())
			.bind("book", bookId)
			.bind("created", after.createdAt())
			.bind("cursor", after.id())
			.bind("skipped", count - 1)
			.mapProperties(Page.Cursor.class)
			.one();
	}

	/** Locks the contacts between two positions that match, the oldest first. */
	Flux<Contact> lockMatching(Scope scope, UUID bookId, Contact.Filter filter, Page.Cursor after, Page.Cursor last,
			int limit) {
		String sql = "select * from contact where account_id = :account and contact_book_id = :book"
				+ " and (created_at, id) > (:created, :cursor) and (created_at, id) <= (:last_created, :last)"
				+ matching(filter) + " order by created_at, id limit :limit for no key update";
		return filtered(sql, scope, bookId, filter).bind("created", after.createdAt())
			.bind("cursor", after.id())
			.bind("last_created", last.createdAt())
			.bind("last", last.id())
			.bind("limit", limit)
			.map((row) -> ContactStore.contact(row, this.json))
			.all();
	}

	/** Locks the contacts of a book that have these ids. */
	Flux<Contact> lockAll(Scope scope, UUID bookId, Collection<UUID> ids) {
		return this.database.sql("""
				select * from contact where account_id = :account and contact_book_id = :book and id = any (:ids)
				 order by id for no key update
				""")
			.bind("account", scope.account())
			.bind("book", bookId)
			.bind("ids", ids.toArray(UUID[]::new))
			.map((row) -> ContactStore.contact(row, this.json))
			.all();
	}

	/** Deletes the contacts of a book that have these ids. */
	Flux<Contact> delete(Scope scope, UUID bookId, Collection<UUID> ids) {
		return this.database.sql("""
				with deleted as (
				    delete from contact where account_id = :account and contact_book_id = :book and id = any (:ids)
				    returning *)
				""" + ContactChangeStore.REMEMBER)
			.bind("account", scope.account())
			.bind("book", bookId)
			.bind("ids", ids.toArray(UUID[]::new))
			.map((row) -> ContactStore.contact(row, this.json))
			.all();
	}

	/** Deletes contacts of a book that match, the oldest first, up to a limit. */
	Flux<Contact> deleteMatching(Scope scope, UUID bookId, Contact.Filter filter, int limit) {
		String sql = "with deleted as (delete from contact where account_id = :account and id = any (array("
				+ "select id from contact where account_id = :account and contact_book_id = :book" + matching(filter)
				+ " order by created_at, id limit :limit)) returning *)" + ContactChangeStore.REMEMBER;
		return filtered(sql, scope, bookId, filter).bind("limit", limit)
			.map((row) -> ContactStore.contact(row, this.json))
			.all();
	}

	private GenericExecuteSpec filtered(String sql, Scope scope, UUID bookId, Contact.Filter filter) {
		GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account()).bind("book", bookId);
		return (filter.search() != null) ? bound.bind("search", filter.search()) : bound;
	}

	/** The search uses strpos, which has no wildcards to escape. */
	private static String matching(Contact.Filter filter) {
		String search = (filter.search() == null) ? "" : """
				 and (strpos(lower(email), lower(:search)) > 0
				      or strpos(lower(first_name || ' ' || last_name), lower(:search)) > 0)
				""";
		return (filter.subscribed() == null) ? search
				: search + (filter.subscribed() ? " and subscribed" : " and not subscribed");
	}

}
