package dev.mailroom.account;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
class IdentityStore {

	private final DatabaseClient database;

	IdentityStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("whose account it is, is what is asked")
	Mono<LinkedAccount> find(Identity identity) {
		return this.database.sql("select account_id, verified from account_by_identity(:issuer, :subject)")
			.bind("issuer", identity.issuer())
			.bind("subject", identity.subject())
			.mapProperties(LinkedAccount.class)
			.one();
	}

	/**
	 * Whether the identity was free; another who links it at the same time is waited for.
	 */
	Mono<Boolean> link(Scope scope, Identity identity) {
		return this.database.sql("""
				insert into identity (issuer, subject, account_id) values (:issuer, :subject, :account)
				on conflict do nothing
				""")
			.bind("issuer", identity.issuer())
			.bind("subject", identity.subject())
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

}
