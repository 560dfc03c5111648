package dev.mailroom.account;

import java.util.Collection;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the keys that sign access tokens. */
@Repository
@AcrossAccounts("the platform's keys sign the tokens of every account")
class SigningKeyStore {

	/** Number of the advisory lock; no other lock uses it. */
	private static final long LOCK = 0x6d61696c_6b657973L;

	private final DatabaseClient database;

	SigningKeyStore(DatabaseClient database) {
		this.database = database;
	}

	/** All keys, in the order in which they sign. */
	Flux<TokenKey> all() {
		return this.database.sql("select * from signing_key order by signs_from, id")
			.mapProperties(TokenKey.class)
			.all();
	}

	/** Makes other instances wait until this transaction ends. */
	Mono<Void> lock() {
		return this.database.sql("select pg_advisory_xact_lock(:lock)").bind("lock", LOCK).then();
	}

	Mono<Void> insert(TokenKey key) {
		return this.database.sql("""
				insert into signing_key (id, sealed_jwk, created_at, signs_from)
				values (:id, :sealedJwk, :createdAt, :signsFrom)
				""").bindProperties(key).then();
	}

	Mono<Void> delete(Collection<UUID> ids) {
		return this.database.sql("delete from signing_key where id = any(:ids)")
			.bind("ids", ids.toArray(UUID[]::new))
			.then();
	}

}
