package dev.mailroom.contact;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of contact books. */
@Repository
class ContactBookStore {

	private final DatabaseClient database;

	ContactBookStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Locks the account row until the transaction ends. Everything that adds or deletes
	 * books or contacts takes this lock first. The plan's limits are exact, and no two
	 * transactions deadlock.
	 */
	Mono<Void> lockAccount(Scope scope) {
		return this.database.sql("select id from account where id = :account for no key update")
			.bind("account", scope.account())
			.then();
	}

	/** Whether the plan allows another book. */
	Mono<Boolean> allowsAnotherBook(Scope scope) {
		return this.database.sql("""
				select plan.contact_book_limit is null
				       or plan.contact_book_limit > (select count(*) from contact_book where account_id = :account)
				  from account join plan on plan.name = account.plan where account.id = :account
				""").bind("account", scope.account()).mapValue(Boolean.class).one();
	}

	/** Whether the plan allows the present number of contacts. */
	Mono<Boolean> isWithinContactLimit(Scope scope) {
		return this.database.sql("""
				select plan.contact_limit is null or plan.contact_limit
				           >= (select coalesce(sum(contacts), 0) from contact_book where account_id = :account)
				  from account join plan on plan.name = account.plan where account.id = :account
				""").bind("account", scope.account()).mapValue(Boolean.class).one();
	}

	Mono<ContactBook> insert(Scope scope, UUID id, String name, @Nullable String publicName, boolean doubleOptIn,
			Instant now) {
		GenericExecuteSpec sql = this.database.sql("""
				insert into contact_book (id, account_id, name, public_name, double_opt_in, created_at, updated_at)
				values (:id, :account, :name, nullif(:public_name, ''), :double_opt_in, :now, :now) returning *
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("name", name)
			.bind("double_opt_in", doubleOptIn)
			.bind("now", now);
		return value(sql, "public_name", publicName, String.class).mapProperties(ContactBook.class).one();
	}

	Mono<ContactBook> find(Scope scope, UUID id) {
		return this.database.sql("select * from contact_book where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(ContactBook.class)
			.one();
	}

	Flux<ContactBook> list(Scope scope, Page.Request page) {
		GenericExecuteSpec list = this.database
			.sql("select * from contact_book where account_id = :account" + PageSql.of(page))
			.bind("account", scope.account());
		return PageSql.bind(list, page, page.rows()).mapProperties(ContactBook.class).all();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql("select count(*) from contact_book where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	/** Changes a book; a field that is null stays. An empty public name becomes none. */
	Mono<ContactBook> change(Scope scope, UUID id, @Nullable String name, @Nullable String publicName,
			@Nullable Boolean doubleOptIn, Instant now) {
		GenericExecuteSpec sql = this.database.sql("""
				update contact_book set name = coalesce(:name, name),
				       public_name = nullif(coalesce(:public_name, public_name), ''),
				       double_opt_in = coalesce(:double_opt_in, double_opt_in), updated_at = :now
				 where id = :id and account_id = :account returning *
				""").bind("id", id).bind("account", scope.account()).bind("now", now);
		sql = value(sql, "name", name, String.class);
		sql = value(sql, "public_name", publicName, String.class);
		return value(sql, "double_opt_in", doubleOptIn, Boolean.class).mapProperties(ContactBook.class).one();
	}

	private static <T> GenericExecuteSpec value(GenericExecuteSpec sql, String name, @Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	/** Adds to a book's number of contacts; a negative number subtracts. */
	Mono<Void> addToCount(Scope scope, UUID id, long change) {
		return this.database.sql("""
				update contact_book set contacts = contacts + :change where id = :id and account_id = :account
				""").bind("id", id).bind("account", scope.account()).bind("change", change).then();
	}

	/** Deletes an empty book. */
	Mono<Void> delete(Scope scope, UUID id) {
		return this.database.sql("delete from contact_book where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.then();
	}

}
