package dev.mailroom.image;

import java.time.Instant;
import java.util.Objects;
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

/** SQL of images. */
@Repository
class ImageStore {

	private static final String COLUMNS = "id, account_id, name, type, size, created_at";

	private final DatabaseClient database;

	ImageStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Locks the account against other uploads until the transaction ends; false if the
	 * address of its owner is not verified.
	 */
	Mono<Boolean> lockAccount(Scope scope) {
		return this.database
			.sql("select email_verified_at is not null from account where id = :account for no key update")
			.bind("account", scope.account())
			.mapValue(Boolean.class)
			.one();
	}

	/**
	 * Inserts an image; empty if the account has no room for it. The caller has locked
	 * the account.
	 * @param outside whether the content is in the bucket
	 */
	Mono<Image> insert(Scope scope, UUID id, String name, Picture picture, boolean outside, Instant now) {
		GenericExecuteSpec sql = this.database.sql("""
				insert into image (id, account_id, name, type, size, content, created_at)
				select :id, :account, :name, :type, :size, :content, :now
				 where (select count(*) < :count and coalesce(sum(size), 0) + :size <= :total
				          from image where account_id = :account)
				returning\s""" + COLUMNS)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("name", name)
			.bind("type", picture.type())
			.bind("size", picture.content().length)
			.bind("count", Images.MAX_COUNT)
			.bind("total", Images.MAX_TOTAL)
			.bind("now", now);
		return (outside ? sql.bindNull("content", byte[].class) : sql.bind("content", picture.content()))
			.mapProperties(Image.class)
			.one();
	}

	Flux<Image> list(Scope scope, Page.Request page) {
		return PageSql
			.bind(this.database.sql("select " + COLUMNS + " from image where account_id = :account" + PageSql.of(page))
				.bind("account", scope.account()), page, page.rows())
			.mapProperties(Image.class)
			.all();
	}

	/** All images of an account, of which there are a thousand at most. */
	Flux<Image> sizes(Scope scope) {
		return this.database.sql("select " + COLUMNS + " from image where account_id = :account")
			.bind("account", scope.account())
			.mapProperties(Image.class)
			.all();
	}

	Mono<StoredImage> content(Scope scope, UUID id) {
		return this.database.sql("select type, content from image where account_id = :account and id = :id")
			.bind("account", scope.account())
			.bind("id", id)
			.map((row) -> new StoredImage(Objects.requireNonNull(row.get("type", String.class)),
					row.get("content", byte[].class)))
			.one();
	}

	Mono<Long> delete(Scope scope, UUID id) {
		return this.database.sql("delete from image where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated();
	}

	/**
	 * An image as its row has it.
	 *
	 * @param content null if it is in the bucket
	 */
	record StoredImage(String type, byte @Nullable [] content) {
	}

}
