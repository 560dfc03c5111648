package dev.mailroom.account;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.account.Identities.Identity;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the links between accounts and identities at outside issuers. */
@Repository
class IdentityStore {

	private final DatabaseClient database;

	IdentityStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("the account is the result of the look-up")
	Mono<LinkedAccount> find(Identity identity) {
		return this.database.sql("select account_id, verified from account_by_identity(:issuer, :subject)")
			.bind("issuer", identity.issuer())
			.bind("subject", identity.subject())
			.mapProperties(LinkedAccount.class)
			.one();
	}

	/**
	 * Links an identity to an account, after a concurrent transaction that links the same
	 * identity.
	 * @return false if the identity is linked already
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

	/**
	 * The account that an identity is linked to.
	 *
	 * @param verified whether the account's address is verified
	 */
	record LinkedAccount(UUID accountId, boolean verified) {
	}

}
