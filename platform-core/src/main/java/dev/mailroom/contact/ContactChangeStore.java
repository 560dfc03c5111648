package dev.mailroom.contact;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Repository;

/** SQL of changes of single contacts, by the account and by the person. */
@Repository
class ContactChangeStore {

	/** Mails that ask a contact to confirm, until the person decides. */
	private static final int MAX_MAILS = 3;

	private static final int HOURS_BETWEEN_MAILS = 24;

	private static final String MAY_BE_ASKED = "confirmation.due_at is null and confirmation.mails < " + MAX_MAILS
			+ " and confirmation.sent_at < :now - interval '" + HOURS_BETWEEN_MAILS + " hours'";

	/**
	 * Requests a mail for contacts whose consent has become pending, unless too many were
	 * sent to them.
	 */
	static final String REQUEST_CONFIRMATION = """
			asked as (
			    insert into confirmation (contact_id, account_id, due_at)
			    select id, :account, :now from saved where consent = 'pending' and consent_at = :now
			    on conflict (contact_id) do update set due_at = excluded.due_at
			     where %s)
			""".formatted(MAY_BE_ASKED);

	/** Remembers deleted contacts, and returns them. */
	static final String REMEMBER = """
			, remembered as (
			    insert into former_contact (id, account_id, contact_book_id, address_hash, unsubscribed)
			    select id, account_id, contact_book_id, sha256(convert_to(contact_book_id || email_key, 'UTF8')),
			           not subscribed and consent is distinct from 'pending'
			      from deleted
			    on conflict (account_id, contact_book_id, address_hash) do update
			       set id = excluded.id, unsubscribed = excluded.unsubscribed)
			select * from deleted
			""";

	private static final String CHANGE = """
			with before as (
			    select contact.*, double_opt_in, coalesce(:subscribed and not subscribed, false) as wants
			      from contact join contact_book on contact_book.id = contact_book_id
			       and contact_book.account_id = :account
			     where contact.id = :id and contact_book_id = :book and contact.account_id = :account
			       for update of contact),
			saved as (
			    update contact
			       set first_name = coalesce(:first, contact.first_name), last_name = coalesce(:last, contact.last_name),
			           subscribed = coalesce(:subscribed, contact.subscribed) and not (wants and double_opt_in),
			           consent = case when wants and double_opt_in then 'pending' when wants then null
			                          when not :subscribed then nullif(contact.consent, 'pending')
			                          else contact.consent end,
			           consent_source = case when wants then :source else contact.consent_source end,
			           consent_at = case when wants then :now else contact.consent_at end,
			           consent_address = case when wants then nullif(:address, '') else contact.consent_address end,
			           properties = coalesce(:properties::jsonb, contact.properties), updated_at = :now
			      from before where contact.id = before.id and contact.account_id = :account
			    returning contact.*),
			"""
			+ REQUEST_CONFIRMATION + """
					select saved.*, false as added,
					       (before.first_name, before.last_name, before.subscribed, before.properties, before.consent)
					           is distinct from (saved.first_name, saved.last_name, saved.subscribed, saved.properties,
					                             saved.consent) as changed,
					       before.subscribed and not saved.subscribed as unsubscribed
					  from saved join before on before.id = saved.id
					""";

	private static final String DECIDE = """
			with before as (
			    select *, consent is not distinct from 'pending' as pending from contact
			     where id = :id and account_id = :account for update),
			saved as (
			    update contact
			       set subscribed = :subscribed,
			           consent = case when :subscribed then 'confirmed' else nullif(contact.consent, 'pending') end,
			           consent_source = case when :subscribed and not pending then 'form' else contact.consent_source end,
			           consent_at = case when :subscribed and not pending then :now else contact.consent_at end,
			           consent_address = case when :subscribed and not pending then nullif(:address, '')
			                                  else contact.consent_address end,
			           confirmed_at = case when :subscribed then :now else contact.confirmed_at end,
			           confirmed_address = case when :subscribed then nullif(:address, '')
			                                    else contact.confirmed_address end,
			           updated_at = :now
			      from before
			     where contact.id = before.id and contact.account_id = :account
			       and (pending or (before.subscribed <> :subscribed and not :pending_only))
			    returning contact.*),
			decided as (
			    delete from confirmation using saved
			     where confirmation.contact_id = saved.id and confirmation.account_id = :account)
			select saved.*, false as added, true as changed, before.subscribed and not saved.subscribed as unsubscribed
			  from saved join before on before.id = saved.id
			""";

	private static final String MEMBERSHIPS = """
			select contact.id, book.id as book_id, coalesce(public_name, book.name) as book, contact.subscribed,
			       contact.consent is not distinct from 'pending' as pending, contact.first_name, contact.last_name
			""";

	private final DatabaseClient database;

	private final JsonMapper json;

	ContactChangeStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/**
	 * Changes a contact; empty if the book has no contact with this id.
	 * @param address network address of the request; empty if unknown
	 */
	Mono<SaveResult> change(Scope scope, UUID bookId, UUID id, Contact.Change change, String address, Instant now) {
		GenericExecuteSpec sql = this.database.sql(CHANGE)
			.bind("id", id)
			.bind("book", bookId)
			.bind("account", scope.account())
			.bind("source", change.source().contractName())
			.bind("address", address)
			.bind("now", now);
		sql = value(sql, "first", change.firstName(), String.class);
		sql = value(sql, "last", change.lastName(), String.class);
		sql = value(sql, "subscribed", change.subscribed(), Boolean.class);
		return value(sql, "properties", json(change), String.class).map((row) -> ContactStore.saved(row, this.json))
			.one();
	}

	/**
	 * Subscribes or unsubscribes a contact as the person decides; empty if that changes
	 * nothing.
	 * @param pendingOnly whether only a pending contact may be changed
	 * @param address network address of the request; empty if unknown
	 */
	Mono<SaveResult> decide(Scope scope, UUID id, boolean subscribed, boolean pendingOnly, String address,
			Instant now) {
		return this.database.sql(DECIDE)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("subscribed", subscribed)
			.bind("pending_only", pendingOnly)
			.bind("address", address)
			.bind("now", now)
			.map((row) -> ContactStore.saved(row, this.json))
			.one();
	}

	/**
	 * Notes for a deleted contact whether the person wants to be subscribed if the
	 * address is added again; empty if that changes nothing.
	 */
	Mono<UUID> decideFormer(Scope scope, UUID id, boolean subscribed) {
		return this.database.sql("""
				update former_contact set unsubscribed = not :subscribed
				 where id = :id and account_id = :account and unsubscribed = :subscribed
				returning id
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("subscribed", subscribed)
			.mapValue(UUID.class)
			.one();
	}

	/** Requests another mail for a pending contact; empty if too many were sent. */
	Mono<UUID> requestMail(Scope scope, Contact contact, Instant now) {
		return this.database.sql("""
				insert into confirmation (contact_id, account_id, due_at) values (:id, :account, :now)
				on conflict (contact_id) do update set due_at = excluded.due_at where %s
				returning contact_id
				""".formatted(MAY_BE_ASKED))
			.bind("id", contact.id())
			.bind("account", scope.account())
			.bind("now", now)
			.mapValue(UUID.class)
			.one();
	}

	Mono<Subscriptions.BookMembership> membership(Scope scope, UUID id) {
		return this.database.sql(MEMBERSHIPS + """
				  from contact join contact_book book on book.id = contact_book_id and book.account_id = :account
				 where contact.id = :id and contact.account_id = :account
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(Subscriptions.BookMembership.class)
			.one();
	}

	/** The membership that a deleted contact would have if its address is added again. */
	Mono<Subscriptions.BookMembership> formerMembership(Scope scope, UUID id) {
		return this.database
			.sql("""
					select former.id, book.id as book_id, coalesce(public_name, book.name) as book, not unsubscribed as subscribed, false as pending,
					       '' as first_name, '' as last_name
					  from former_contact former
					  join contact_book book on book.id = contact_book_id and book.account_id = :account
					 where former.id = :id and former.account_id = :account
					""")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(Subscriptions.BookMembership.class)
			.one();
	}

	/** Memberships of all contacts with the address of a contact, by name of the book. */
	Flux<Subscriptions.BookMembership> memberships(Scope scope, UUID id, int limit) {
		return this.database
			.sql(MEMBERSHIPS
					+ """
							  from contact opened join contact_book book on book.account_id = :account
							  join contact on contact.account_id = :account and contact.contact_book_id = book.id
							              and contact.email_key = opened.email_key
							 where opened.id = :id and opened.account_id = :account order by coalesce(public_name, book.name), contact.id limit :limit
							""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("limit", limit)
			.mapProperties(Subscriptions.BookMembership.class)
			.all();
	}

	private @Nullable String json(Contact.Change change) {
		return (change.properties() != null) ? this.json.writeValueAsString(change.properties()) : null;
	}

	private static <T> GenericExecuteSpec value(GenericExecuteSpec sql, String name, @Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

}
